// Runs in the measured page, before its own scripts: notes long tasks and keys, and watches frames.
globalThis.bench = (() => {
  const longTasks = []
  const keysMs = []
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) {
      longTasks.push({ startMs: startTime, durationMs: duration })
    }
  }).observe({ type: 'longtask', buffered: true })
  // From a key to the paint that followed it. Shorter ones than 16 ms are not told.
  new PerformanceObserver((list) => {
    for (const { name, duration } of list.getEntries()) {
      if (name === 'keydown' || name === 'input') keysMs.push(duration)
    }
  }).observe({ type: 'event', buffered: true, durationThreshold: 16 })

  const nextFrame = () => new Promise(requestAnimationFrame)

  /** Resolves after the paint of the frame that runs now. */
  function painted() {
    const { port1, port2 } = new MessageChannel()
    return new Promise((resolve) => {
      port1.onmessage = () => {
        port1.close()
        resolve()
      }
      port2.postMessage(0)
    })
  }

  return {
    resetTasks() {
      longTasks.length = 0
    },
    resetKeys() {
      keysMs.length = 0
    },
    longestTaskMs: () => Math.max(0, ...longTasks.map(({ durationMs }) => durationMs)),
    slowestKeyMs: () => Math.max(0, ...keysMs),
    async drawn(selector) {
      while (!document.querySelector(selector)) await nextFrame()
      await nextFrame()
      await painted()
      return performance.now()
    },
    loading(drawnMs) {
      const [paint] = performance.getEntriesByName('first-contentful-paint')
      const ends = longTasks.map(({ startMs, durationMs }) => startMs + durationMs)
      return {
        firstPaintMs: paint?.startTime ?? Number.NaN,
        interactiveMs: Math.max(drawnMs, ...ends),
        longTasks: longTasks.map(({ durationMs }) => durationMs),
      }
    },
    /** `rows` is what should be in the middle of the screen. */
    async watchFrames({ seconds, rows, lateMs }) {
      const gapsMs = []
      let blank = 0
      let beforeMs = await nextFrame()
      const endMs = beforeMs + seconds * 1_000
      while (beforeMs < endMs) {
        const nowMs = await nextFrame()
        gapsMs.push(nowMs - beforeMs)
        beforeMs = nowMs
        await painted()
        const seen = document.elementFromPoint(innerWidth / 2, innerHeight / 2)
        if (!seen?.closest(rows)) blank += 1
      }
      return {
        frames: gapsMs.length,
        lateShare: gapsMs.filter((ms) => ms > lateMs).length / gapsMs.length,
        worstMs: Math.max(...gapsMs),
        blankShare: blank / gapsMs.length,
        scrolledTo: scrollY,
      }
    },
    /** Rows of the same size as those of the overview, without any script. */
    makePlainRows(count) {
      const list = document.createElement('ul')
      for (let number = 0; number < count; number += 1) {
        const item = document.createElement('li')
        item.textContent = `Checked ${number}`
        item.style.height = '56px'
        list.append(item)
      }
      document.body.replaceChildren(list)
    },
    /** Whether the page counts as many monitors that are down as the service. */
    async isRight() {
      const answerOf = async (path) => (await fetch(`/api/v1${path}`)).json()
      const { data: orgs } = await answerOf('/orgs')
      const { data } = await answerOf(`/orgs/${orgs[0].id}/overview`)
      const down = data.monitors.filter(({ state }) => state === 'down').length
      const shown = document.querySelector('.chips .is-down b')?.textContent ?? '0'
      return Number(shown) === down
    },
  }
})()
