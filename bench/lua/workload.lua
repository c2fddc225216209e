-- SPDX-License-Identifier: MIT
-- What scripts do, in the parts of the interpreter that differ: arithmetic,
-- tables, strings, closures, coroutines, errors (longjmp), the collector.
-- Every part checks its answer: a tracer that changes a register is found out.
-- Argument: how much of it; 1 takes some 0.4 s untraced.

local scale = tonumber(arg[1] or "1")
local function times(n) return math.max(1, math.floor(n * scale)) end

local function same(what, got, want)
	if got ~= want then
		io.stderr:write(("workload: %s: got %s, want %s\n"):format(what, got, want))
		os.exit(1)
	end
end

-- two bodies and a light third; energy has to be what it was
local function nbody(steps)
	local b = {
		{ x = 0, y = 0, vx = 0, vy = -0.01, m = 100 },
		{ x = 10, y = 0, vx = 0, vy = 3, m = 1 },
		{ x = -20, y = 0, vx = 0, vy = -2.2, m = 0.001 },
	}
	local function energy()
		local e = 0
		for i, p in ipairs(b) do
			e = e + 0.5 * p.m * (p.vx * p.vx + p.vy * p.vy)
			for j = i + 1, #b do
				local dx, dy = p.x - b[j].x, p.y - b[j].y
				e = e - p.m * b[j].m / math.sqrt(dx * dx + dy * dy)
			end
		end
		return e
	end
	local before, dt = energy(), 0.0005
	for _ = 1, steps do
		for i = 1, #b do
			local p = b[i]
			for j = i + 1, #b do
				local q = b[j]
				local dx, dy = p.x - q.x, p.y - q.y
				local d2 = dx * dx + dy * dy
				local f = dt / (d2 * math.sqrt(d2))
				p.vx, p.vy = p.vx - dx * q.m * f, p.vy - dy * q.m * f
				q.vx, q.vy = q.vx + dx * p.m * f, q.vy + dy * p.m * f
			end
		end
		for i = 1, #b do
			local p = b[i]
			p.x, p.y = p.x + dt * p.vx, p.y + dt * p.vy
		end
	end
	return math.abs(energy() / before - 1) < 0.01
end

local function sieve(n)
	local composite, primes = {}, 0
	for i = 2, n do
		if not composite[i] then
			primes = primes + 1
			for j = i * i, n, i do composite[j] = true end
		end
	end
	return primes
end

local function strings(n)
	local parts = {}
	for i = 1, n do
		parts[#parts + 1] = ("%d:%s;"):format(i, string.rep("ab", i % 5))
	end
	local text, sum, letters = table.concat(parts), 0, 0
	for number, word in text:gmatch("(%d+):(%a*);") do
		sum = sum + tonumber(number)
		letters = letters + #word
	end
	same("letters", letters, #(text:gsub("[^ab]", "")))
	return sum
end

local function closures(n)
	local function counter()
		local c = 0
		return function() c = c + 1 return c end
	end
	local sum = 0
	for _ = 1, n do
		local f = counter()
		f()
		f()
		sum = sum + f()
	end
	return sum
end

local function coroutines(n)
	local produce = coroutine.wrap(function()
		for i = 1, n do coroutine.yield(i) end
		return 0
	end)
	local sum = 0
	for _ = 1, n do sum = sum + produce() end
	return sum
end

local function errors(n)
	local caught = 0
	for i = 1, n do
		local ok, what = pcall(function() error({ code = i }) end)
		if not ok and what.code == i then caught = caught + 1 end
	end
	return caught
end

local function trees(depth)
	if depth == 0 then return { size = 1 } end
	local l, r = trees(depth - 1), trees(depth - 1)
	return { l = l, r = r, size = l.size + r.size + 1 }
end

local function sorting(n)
	local t, x = {}, 42
	for i = 1, n do
		x = (x * 1103515245 + 12345) % 2147483648
		t[i] = x
	end
	table.sort(t, function(a, b) return a > b end)
	for i = 2, n do
		if t[i - 1] < t[i] then return false end
	end
	return true
end

local n

same("nbody", nbody(times(60000)), true)
same("sieve", sieve(300000), 25997)
n = times(50000)
same("strings", strings(n), n * (n + 1) // 2)
n = times(150000)
same("closures", closures(n), 3 * n)
n = times(100000)
same("coroutines", coroutines(n), n * (n + 1) // 2)
n = times(50000)
same("errors", errors(n), n)
for _ = 1, times(8) do same("trees", trees(13).size, 16383) end
same("sorting", sorting(times(40000)), true)
collectgarbage()
