-- Sends random requests of a file. A line is: path, token, body; separated by tabs, the last two may be missing.
-- Like every browser, it takes gzip.
local requests = {}

function init(args)
  math.randomseed(os.time())
  for line in io.lines(args[1]) do
    local path, token, body = line:match('^([^\t]*)\t?([^\t]*)\t?(.*)$')
    if body == '' then
      requests[#requests + 1] = wrk.format('GET', path, { ['Host'] = wrk.headers['Host'], ['Accept-Encoding'] = 'gzip' })
    else
      local headers = { ['Authorization'] = 'Bearer ' .. token, ['Content-Type'] = 'application/json' }
      headers['Host'] = wrk.headers['Host']
      requests[#requests + 1] = wrk.format('POST', path, headers, body)
    end
  end
end

function request()
  return requests[math.random(#requests)]
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format('{"requests":%d,"us":%d,"p50":%d,"p99":%d,"failed":%d}\n', summary.requests,
    summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout))
end
