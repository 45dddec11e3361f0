import type { Capability } from '../../capability.ts'
import { bind } from '../../listening.ts'
import { settingsIn } from '../../settings-reader.ts'
import { catalogue } from './catalogue.ts'
import { gaugesOf } from './gauges.ts'
import { metricsOf } from './metrics.ts'
import { serveMetrics } from './server.ts'

const variables = {
  METRICS_PORT: { from: 0, to: 65_535, says: 'where Prometheus finds `/metrics`; 0: any free port' },
  METRICS_HOST: { default: '127.0.0.1', says: 'the address on which it listens for that' },
} as const

/** Measures the service for Prometheus (docs/operations.md#metrics). */
export const metricsCapability: Capability = {
  name: 'metrics',
  variables,
  metrics: catalogue,
  configure(env, config) {
    const port = settingsIn(env, variables).wholeNumberOrNull('METRICS_PORT')
    const host = env.METRICS_HOST || variables.METRICS_HOST.default
    if (port === null) return null
    let text = async () => ''
    return {
      observe(described) {
        const measured = metricsOf(config, described)
        text = measured.text
        return measured
      },
      start(service) {
        const address = bind('METRICS_PORT', { host, port }, () => serveMetrics({ host, port, text }))
        service.log('metrics_on', { message: `The metrics are at ${address}` })
        return { gauges: gaugesOf(service) }
      },
    }
  },
}
