// Traffic: the number of running and finished requests, and their durations.
import type { Clock } from '../../base/clock.ts'
import type { Metrics } from '../../base/metrics.ts'
import type { EndpointTraits, Exchange } from '../edge/exchange.ts'

export interface Traffic {
  onStart(endpoint: EndpointTraits): void
  onDone(exchange: Exchange, endpoint: EndpointTraits): void
  /**
   * Counts what a route answers from memory at once, which takes too little time to be timed. Called
   * once for each route; what it returns, for each answer.
   */
  quickCounter(route: string): (status: 200 | 304) => void
  /** Resolves when no request is running, or after `deadlineMs`. */
  whenIdle(deadlineMs: number): Promise<void>
}

const secondsBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 30]

export function watchRequests(metrics: Metrics, clock: Clock): Traffic {
  const requests = metrics.counter({
    name: 'http_requests_total',
    help: 'Requests by route and status; status 0: the caller disconnected before the response.',
    labels: ['route', 'status'],
  })
  const durations = metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration from the request to the end of its handling.',
    labels: ['route'],
    buckets: secondsBuckets,
  })
  let running = 0
  let whenIdle: (() => void) | undefined
  metrics.gauge({ name: 'http_requests_running', help: 'Requests being handled.' }, (gauge) =>
    gauge.set(running),
  )

  return {
    onStart({ outlivesDrain }) {
      if (!outlivesDrain) running += 1
    },

    onDone(exchange, { name, isHeld, outlivesDrain }) {
      requests.of(name, String(exchange.status)).inc()
      if (outlivesDrain) return
      if (!isHeld) durations.of(name).observe((clock.monoMs() - exchange.startedMonoMs) / 1000)
      running -= 1
      if (running === 0) whenIdle?.()
    },

    quickCounter(route) {
      const [whole, unchanged] = [requests.of(route, '200'), requests.of(route, '304')]
      return (status) => (status === 200 ? whole : unchanged).inc()
    },

    async whenIdle(deadlineMs) {
      if (running === 0) return
      await new Promise<void>((resolve) => {
        const deadline = clock.setTimeout(resolve, deadlineMs)
        whenIdle = () => {
          clock.clearTimeout(deadline)
          resolve()
        }
      })
    },
  }
}
