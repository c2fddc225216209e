#!/bin/sh
# SPDX-License-Identifier: MIT
# fuzz.sh ARCH SECONDS SEED MAKE: builds the fuzz target and lets it look for new
# calls.  What it has found is kept in the build's corpus/ for the next time.
set -u
arch=$1 seconds=$2 seed=$3 make=$4
san=fuzzer-no-link,address
dir=build/$arch-clang-$san

end() {
	echo "$1 fuzz$2"
	echo "$3 passed, $4 failed, $5 skipped"
	exit "$4"
}

echo "KTAP version 1"
echo "1..1"
[ "$arch" = "$(uname -m)" ] || end "ok 1" " # SKIP its runtime is for this machine: $(uname -m)" 0 0 1
mkdir -p "$dir/corpus"
printf 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return d && n > 1000; }\n' >"$dir/probe.c"
clang -fsanitize=fuzzer,address -o "$dir/probe" "$dir/probe.c" 2>/dev/null ||
	end "ok 1" " # SKIP clang cannot link -fsanitize=fuzzer; 'make deps' installs it (libclang-rt-dev)" 0 0 1
# The library without instruments: libFuzzer looks at a module's counters when it has gone, too.
plain=build/$arch-clang
$make -s CC=clang SAN=$san "$dir/fuzz" && $make -s CC=clang $plain/solib-plain.so &&
	cp $plain/solib-plain.so "$dir" || end "not ok 1" ": it does not build" 0 1 0

# The fuzzer's own threads would be looked at by every grace period.
"$dir/fuzz" -max_total_time="$seconds" ${seed:+-seed="$seed"} -max_len=322 -len_control=0 -timeout=60 \
	-rss_limit_mb=0 -artifact_prefix="$dir/" -print_final_stats=1 "$dir/corpus" >"$dir/fuzz.log" 2>&1
status=$?
inputs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$dir/fuzz.log")
if [ $status = 0 ] && [ -n "$inputs" ]; then
	sed -n 's/^#.*DONE *\(cov: [0-9]*\) ft: \([0-9]*\) .*/# \1 of the branches of core, \2 features/p' "$dir/fuzz.log"
	echo "survived $inputs inputs of the fuzzer"
	end "ok 1" ": $inputs inputs" 1 0 0
fi
sed -n '/^==.*ERROR/,/^ *#[1-9][0-9]/p' "$dir/fuzz.log" | head -60 | sed 's/^/# /'
"$dir/fuzz" --show
end "not ok 1" ": status $status, see $dir/fuzz.log" 0 1 0
