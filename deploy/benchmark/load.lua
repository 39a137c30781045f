-- wrk … -s load.lua URL -- OPERATION USERS THREADS [MEAN_PAUSE_MS]: one operation, over users in turn.
-- OPERATION MIX3: a change by each user, followed by three times the dashboard and the timeline; NEW3: nothing kept.
-- USERS: a file with `token child_id` a line. Each thread has its own share, so nobody is asked for more than others.
local threads = {}
function setup(thread)
  thread:set("number", #threads)
  threads[#threads + 1] = thread
end

local requests, at, pause = {}, 0, nil
local make = {
  W1 = function(headers) return wrk.format("GET", "/api/v1/children", headers) end,
  W2 = function(headers, child) return wrk.format("GET", "/api/v1/children/" .. child .. "/timeline?limit=50", headers) end,
  W3 = function(headers, child) return wrk.format("GET", "/api/v1/children/" .. child .. "/dashboard", headers) end,
  -- The same, but nothing that is kept: the worker looks only for what is asked for without parameters.
  W2new = function(headers, child) return wrk.format("GET", "/api/v1/children/" .. child .. "/timeline?limit=51", headers) end,
  W3new = function(headers, child) return wrk.format("GET", "/api/v1/children/" .. child .. "/dashboard?date=" .. os.date("!%Y-%m-%d"), headers) end,
  W4 = function(headers, child)
    headers["Content-Type"] = "application/json"
    local start = os.time() - 60 * math.random(20, 1400)
    local time = function(t) return os.date("!%Y-%m-%dT%H:%M:00.000Z", t) end
    return wrk.format("POST", "/api/v1/children/" .. child .. "/feedings", headers, string.format(
      '{"type":"bottle","started_at":"%s","ended_at":"%s","amount_ml":%d,"content":"formula","notes":"bench"}',
      time(start), time(start + 600), 10 * math.random(3, 24)))
  end,
}

function init(arguments)
  local operation, users, count = arguments[1], arguments[2], tonumber(arguments[3])
  pause = tonumber(arguments[4])
  math.randomseed(7 + number)
  local line_number = 0
  for line in io.lines(users) do
    line_number = line_number + 1
    if line_number % count == number then
      local token, child = line:match("^(%S+) (%S+)$")
      local kind, rounds = operation:match("^(%u+)(%d+)$")
      rounds = (kind == "MIX" or kind == "NEW") and tonumber(rounds) or nil
      local suffix = kind == "NEW" and "new" or ""
      local add = function(name) requests[#requests + 1] = make[name]({ Authorization = "Bearer " .. token }, child) end
      add(rounds and "W4" or operation)
      for _ = 1, rounds or 0 do add("W3" .. suffix) add("W2" .. suffix) end
    end
  end
  -- Only defined where it is wanted: wrk asks for a pause before every request as soon as there is such a function.
  if pause then
    function delay() return math.floor(-pause * math.log(1 - math.random()) + 0.5) end
  end
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency, _)
  local e = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), e.status, e.connect + e.read + e.write + e.timeout))
end
