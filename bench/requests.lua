-- Sends random requests of a file, as a browser does (with gzip) or without compression. A line is: path, token,
-- body; separated by tabs, the last two may be missing. Where a body has twelve noughts, each request gets
-- a number of its own. Requests come from several addresses, since each address may have only a few under way.
local requests = {}
local placeholder = ('0'):rep(12)
local number = 0

function init(args)
  math.randomseed(os.time())
  number = tonumber(args[3]) * 1000000
  for line in io.lines(args[1]) do
    local path, token, body = line:match('^([^\t]*)\t?([^\t]*)\t?(.*)$')
    if body == '' then
      for address = 1, 4 do
        local headers = { ['Accept-Encoding'] = args[2], ['X-Forwarded-For'] = '10.0.0.' .. address }
        headers['Host'] = wrk.headers['Host']
        requests[#requests + 1] = { wrk.format('GET', path, headers) }
      end
    else
      local headers = { ['Authorization'] = 'Bearer ' .. token, ['Content-Type'] = 'application/json' }
      headers['Host'] = wrk.headers['Host']
      local request = wrk.format('POST', path, headers, body)
      local first, last = request:find(placeholder, 1, true)
      requests[#requests + 1] = first and { request:sub(1, first - 1), request:sub(last + 1) } or { request }
    end
  end
end

function request()
  local parts = requests[math.random(#requests)]
  if #parts == 1 then return parts[1] end
  number = number + 1
  return parts[1] .. string.format('%012d', number) .. parts[2]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"us":%d,"p50":%d,"p99":%d,"failed":%d}\n', summary.requests,
    summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
