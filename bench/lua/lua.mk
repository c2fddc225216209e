# SPDX-License-Identifier: MIT
# A real program: Debian's Lua with a site in every function, and without any.

LUA_DIR	:= build/lua
LUA_FLAGS := -std=gnu99 -O2 -DLUA_COMPAT_5_3 -DLUA_USE_LINUX -I$(LUA_DIR)/src -w
LUA_HOOK := $B/bench/lua/hook.c.o
LUA_LIBS := $(LUA_HOOK) $(MODULE_OBJ) $(IMPL_OBJ) $(LIB)

$(LUA_HOOK): FILE_CFLAGS += $(CALLBACK_CFLAGS)

# The source is there only after fetch.sh: a make of its own, so that wildcards see it.
LUA_SRC	:= $(filter-out %/luac.c,$(wildcard $(LUA_DIR)/src/*.c))
LUA_PLAIN := $(LUA_SRC:$(LUA_DIR)/src/%=$B/lua/plain/%.o)
LUA_SITES := $(LUA_SRC:$(LUA_DIR)/src/%=$B/lua/sites/%.o)

$B/lua/plain/%.o: $(LUA_DIR)/src/%
	@mkdir -p $(@D)
	@$(CC) $(LUA_FLAGS) -c -o $@ $<
$B/lua/sites/%.o: $(LUA_DIR)/src/%
	@mkdir -p $(@D)
	@$(CC) $(LUA_FLAGS) $(SITE_CFLAGS) -c -o $@ $<

$B/lua/lua-plain: $(LUA_PLAIN)
	@$(CC) $(LDFLAGS) -rdynamic -o $@ $^ -lm -ldl
$B/lua/lua-sites: $(LUA_SITES) $(LUA_LIBS)
	@$(CC) $(LDFLAGS) -rdynamic -o $@ $^ -lm $(LDLIBS)

lua-bin: $B/lua/lua-plain $B/lua/lua-sites
.PHONY: lua-bin
