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

interface RequestCounter {
  inc(by?: number): void
}

/** Since the metrics were last collected: a number is much cheaper to count up than they are. */
interface QuickCount {
  readonly route: string
  whole: number
  unchanged: number
}

interface RequestTimer {
  observe(seconds: number): void
}

const secondsBuckets = [0.001, 0.005, 0.025, 0.1, 0.5, 2.5, 10, 30]

export function watchRequests(metrics: Metrics, clock: Clock): Traffic {
  const quick: QuickCount[] = []
  const requests = metrics.counter(
    {
      name: 'http_requests_total',
      help: 'Requests by route and status; status 0: the caller disconnected before the response.',
      labels: ['route', 'status'],
    },
    addQuick,
  )
  const durations = metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration from the request to the end of its handling.',
    labels: ['route'],
    buckets: secondsBuckets,
  })
  // Cached, because the metrics library takes longer to find a labelled counter than a small
  // request takes.
  const counters = new Map<string, Map<number, RequestCounter>>()
  const timers = new Map<string, RequestTimer>()
  let running = 0
  let whenIdle: (() => void) | undefined
  metrics.gauge({ name: 'http_requests_running', help: 'Requests being handled.' }, (gauge) =>
    gauge.set(running),
  )

  function counterOf(route: string, status: number): RequestCounter {
    const byStatus = counters.get(route) ?? new Map<number, RequestCounter>()
    counters.set(route, byStatus)
    const counter = byStatus.get(status) ?? requests.labels(route, String(status))
    byStatus.set(status, counter)
    return counter
  }

  function addQuick(): void {
    for (const count of quick) {
      const { route, whole, unchanged } = count
      if (whole > 0) counterOf(route, 200).inc(whole)
      if (unchanged > 0) counterOf(route, 304).inc(unchanged)
      count.whole = 0
      count.unchanged = 0
    }
  }

  function timerOf(route: string): RequestTimer {
    const timer = timers.get(route) ?? durations.labels(route)
    timers.set(route, timer)
    return timer
  }

  return {
    onStart() {
      running += 1
    },

    onDone(exchange, { name }) {
      counterOf(name, exchange.status).inc()
      timerOf(name).observe((clock.monoMs() - exchange.startedMonoMs) / 1000)
      running -= 1
      if (running === 0) whenIdle?.()
    },

    quickCounter(route) {
      const count: QuickCount = { route, whole: 0, unchanged: 0 }
      quick.push(count)
      return (status) => {
        if (status === 200) count.whole += 1
        else count.unchanged += 1
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
