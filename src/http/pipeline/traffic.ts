// Traffic: the number of running and finished requests, and their durations.
import type { Clock } from '../../base/clock.ts'
import type { Metrics } from '../../base/metrics.ts'
import type { EndpointTraits, Exchange } from '../edge/exchange.ts'

export interface Traffic {
  onStart(): void
  onDone(exchange: Exchange, endpoint: EndpointTraits): void
  /**
   * Counts what a route answers from memory at once, which takes too little time to be timed. Called
   * once for each route; what it returns, for each answer.
   */
  quickCounter(route: string): (status: 200 | 304) => void
  /** Resolves when no request is running, or after `deadlineMs`. */
  whenIdle(deadlineMs: number): Promise<void>
}

/** Since the metrics were last collected: a number is much cheaper to count up than they are. */
interface StatusCount {
  readonly route: string
  readonly status: string
  requests: number
}

const secondsBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 30]

export function watchRequests(metrics: Metrics, clock: Clock): Traffic {
  const counts = new Map<string, Map<number, StatusCount>>()
  const requests = metrics.counter(
    {
      name: 'http_requests_total',
      help: 'Requests by route and status; status 0: the caller disconnected before the response.',
      labels: ['route', 'status'],
    },
    addCounted,
  )
  const durations = metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration from the request to the end of its handling.',
    labels: ['route'],
    buckets: secondsBuckets,
  })
  const timers = new Map<string, (seconds: number) => void>()
  let running = 0
  let whenIdle: (() => void) | undefined
  metrics.gauge({ name: 'http_requests_running', help: 'Requests being handled.' }, (gauge) =>
    gauge.set(running),
  )

  function countOf(route: string, status: number): StatusCount {
    const byStatus = counts.get(route) ?? new Map<number, StatusCount>()
    counts.set(route, byStatus)
    const count = byStatus.get(status) ?? { route, status: String(status), requests: 0 }
    byStatus.set(status, count)
    return count
  }

  function addCounted(): void {
    for (const byStatus of counts.values()) {
      for (const count of byStatus.values()) {
        if (count.requests > 0) requests.labels(count.route, count.status).inc(count.requests)
        count.requests = 0
      }
    }
  }

  function timerOf(route: string): (seconds: number) => void {
    const timer = timers.get(route) ?? durations.of(route)
    timers.set(route, timer)
    return timer
  }

  return {
    onStart() {
      running += 1
    },

    onDone(exchange, { name }) {
      countOf(name, exchange.status).requests += 1
      timerOf(name)((clock.monoMs() - exchange.startedMonoMs) / 1000)
      running -= 1
      if (running === 0) whenIdle?.()
    },

    quickCounter(route) {
      const [whole, unchanged] = [countOf(route, 200), countOf(route, 304)]
      return (status) => {
        const count = status === 200 ? whole : unchanged
        count.requests += 1
      }
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
