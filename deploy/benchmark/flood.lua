-- wrk -tN -cN … -s flood.lua URL -- RATE: logins of strangers, so many a second of all N clients together, five from each address and
-- over each connection. The addresses are those that a trusted load balancer tells of. Prints a line for each: status and milliseconds.
local ffi = require("ffi")
ffi.cdef [[
  typedef struct { long s; long ns; } moment;
  int clock_gettime(int, moment *);
]]
local moment = ffi.new("moment")
local function now()
  ffi.C.clock_gettime(1, moment)
  return tonumber(moment.s) * 1000 + tonumber(moment.ns) / 1e6
end

local threads = {}
function setup(thread)
  thread:set("number", #threads)
  threads[#threads + 1] = thread
end

local interval, due, sent, began, address
lines = {}

function init(arguments)
  interval = arguments[2] * 1000 / arguments[1]
  math.randomseed(os.time() * 1000 + number)
  due, sent = now() + interval * math.random(), 0
end

function delay()
  -- What could not be sent in time is not made up for.
  due = math.max(due + interval, now())
  return math.floor(due - now())
end

function request()
  if sent % 5 == 0 then address = string.format("10.%d.%d.%d", math.random(0, 255), math.random(0, 255), math.random(1, 254)) end
  sent = sent + 1
  began = now()
  return wrk.format("POST", "/api/v1/auth/login", {
    ["Content-Type"] = "application/json", ["X-Forwarded-For"] = address, Connection = sent % 5 == 0 and "close" or nil,
  }, string.format('{"email":"stranger%d@example.com","password":"a guess at it"}', math.random(1, 2 ^ 30)))
end

function response(status)
  lines[#lines + 1] = string.format("LOGIN %d %.2f\n", status, now() - began)
end

function done()
  for _, thread in ipairs(threads) do io.write(table.concat(thread:get("lines"))) end
end
