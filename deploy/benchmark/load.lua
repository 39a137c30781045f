-- wrk … -s load.lua URL -- OPERATION USERS THREADS [MEAN_PAUSE_MS]: one operation, or a phone's day, by users in turn.
-- USERS: a line `token child family last revision…` for each, the family's newest revisions in order.
-- A thread has whole families, and the members of one are half a turn apart: a change is done before the family's feed
-- is asked for again, so that a thread knows each family's last revision from what it has sent itself.
local DAY = { { "feed", 45 }, { "changes", 15 }, { "feeding", 22 }, { "batch", 3 }, { "notes", 4 }, { "dashboard", 4 },
  { "timeline", 4 }, { "children", 3 } }

local threads = {}
function setup(thread)
  thread:set("number", #threads)
  threads[#threads + 1] = thread
end

local turn, at, operation, pause = {}, 0, nil, nil

local function ask(user, method, path, body)
  local headers = { Authorization = "Bearer " .. user.token, ["Content-Type"] = body and "application/json" or nil }
  return wrk.format(method, "/api/v1/" .. path, headers, body)
end

-- As many more revisions as things are written.
local function written(family, count)
  for _ = 1, count do
    family.last = family.last + 1
    table.insert(family.revisions, family.last)
  end
end

local function identifier()
  local random = math.random
  return string.format("%08x-%04x-7%03x-a%03x-%012x", random(0, 2 ^ 31), random(0, 65535), random(0, 4095), random(0, 4095), random(0, 2 ^ 46))
end

local function time(back)
  return os.date("!%Y-%m-%dT%H:%M:00.000Z", os.time() - 60 * back)
end

local function bottle(id)
  local back = math.random(20, 1400)
  return string.format('{"id":"%s","type":"bottle","started_at":"%s","ended_at":"%s","amount_ml":%d,"content":"formula","notes":"bench"}',
    id, time(back), time(back - 10), 10 * math.random(3, 24))
end

local make = {}
function make.children(user) return ask(user, "GET", "children") end
function make.timeline(user) return ask(user, "GET", "children/" .. user.child .. "/timeline?limit=50") end
function make.dashboard(user) return ask(user, "GET", "children/" .. user.child .. "/dashboard") end
function make.feed(user) return ask(user, "GET", "families/" .. user.family.id .. "/changes?since=" .. user.family.last) end
function make.changes(user)
  local known = user.family.revisions
  return ask(user, "GET", "families/" .. user.family.id .. "/changes?since=" .. known[math.max(1, #known - 5)])
end
function make.feeding(user)
  user.family.feeding = identifier()
  written(user.family, 1)
  return ask(user, "POST", "children/" .. user.child .. "/feedings", bottle(user.family.feeding))
end
function make.notes(user)
  if not user.family.feeding then return make.feeding(user) end
  written(user.family, 1)
  return ask(user, "PATCH", "children/" .. user.child .. "/feedings/" .. user.family.feeding, string.format('{"notes":"bench %d"}', at))
end
function make.batch(user)
  local back = math.random(60, 1400)
  written(user.family, 5)
  return ask(user, "POST", "children/" .. user.child .. "/events", string.format(
    '{"events":[{"type":"feeding","event":%s},{"type":"feeding","event":%s},'
    .. '{"type":"diaper","event":{"id":"%s","type":"wet","occurred_at":"%s","notes":"bench"}},'
    .. '{"type":"sleep","event":{"id":"%s","type":"nap","started_at":"%s","ended_at":"%s","notes":"bench"}},'
    .. '{"type":"note","event":{"id":"%s","content":"First smile","occurred_at":"%s","notes":"bench"}}]}',
    bottle(identifier()), bottle(identifier()), identifier(), time(back), identifier(), time(back), time(back - 20), identifier(), time(back)))
end
function make.day(user)
  local chance = math.random(100)
  for _, part in ipairs(DAY) do
    chance = chance - part[2]
    if chance <= 0 then return make[part[1]](user) end
  end
end

function init(arguments)
  operation, pause = arguments[1], tonumber(arguments[4])
  local count, families, order, turns = tonumber(arguments[3]), {}, 0, {}
  math.randomseed(os.time() * 100 + number) -- other ids in each run
  for line in io.lines(arguments[2]) do
    local token, child, id, last, revisions = line:match("^(%S+) (%S+) (%S+) (%d+)(.*)$")
    local family = families[id]
    if not family then
      family = { id = id, last = tonumber(last), revisions = {}, members = 0, thread = order % count }
      for revision in revisions:gmatch("%d+") do table.insert(family.revisions, tonumber(revision)) end
      families[id], order = family, order + 1
    end
    if family.thread == number then
      family.members = family.members + 1
      turns[family.members] = turns[family.members] or {}
      table.insert(turns[family.members], { token = token, child = child, family = family })
    end
  end
  for _, members in ipairs(turns) do
    for _, user in ipairs(members) do turn[#turn + 1] = user end
  end
  -- Only defined where it is wanted: wrk asks for a pause before every request as soon as there is such a function.
  if pause then
    function delay() return math.floor(-pause * math.log(1 - math.random()) + 0.5) end
  end
end

local isAsked = false
function request()
  if not isAsked then -- wrk asks the first thread once before it begins, and sends nothing
    isAsked = true
    return make.children(turn[1])
  end
  at = at % #turn + 1
  return make[operation](turn[at])
end

function done(summary, latency, _)
  local errors = summary.errors
  io.write(string.format("RESULT %d %d %d %d %d %d\n", summary.requests, summary.duration,
    latency:percentile(50), latency:percentile(99), errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
