// Runs in a world of its own beside the scripts of each page: finds elements, tells what they are like, and keeps
// the Web Vitals. The page sees nothing of it, and cannot change what it is made of.
globalThis.stillup = (() => {
  const flat = (text) => (text ?? '').replace(/\s+/g, ' ').trim()
  const has = (text, wanted, isExact) =>
    isExact
      ? flat(text) === flat(wanted)
      : flat(text).toLowerCase().includes(flat(wanted).toLowerCase())

  /** The document and the open shadow roots in it. */
  function roots() {
    const found = [document]
    for (const root of found) {
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot) found.push(element.shadowRoot)
      }
    }
    return found
  }
  const query = (css) => roots().flatMap((root) => [...root.querySelectorAll(css)])

  const isButton = (element) =>
    element.localName === 'input' && /^(button|submit|reset)$/.test(element.type)
  const textOf = (element) => (isButton(element) ? element.value : (element.textContent ?? ''))

  /** The smallest elements that have the text. */
  function byText(wanted, isExact) {
    const found = []
    const visit = (element) => {
      if (/^(script|style|noscript|template|head)$/.test(element.localName)) return false
      let isInside = false
      for (const child of element.shadowRoot?.children ?? []) {
        if (visit(child)) isInside = true
      }
      const isHere = has(textOf(element), wanted, false)
      if (isHere || hosts.has(element)) {
        for (const child of element.children) if (visit(child)) isInside = true
      }
      if (isHere && !isInside && has(textOf(element), wanted, isExact)) {
        found.push(element)
        return true
      }
      return isInside
    }
    // What has a shadow root somewhere below must be looked into, whatever text is around it.
    const hosts = new Set()
    for (const root of roots()) {
      for (let host = root.host; host; host = host.parentElement ?? host.getRootNode().host) {
        hosts.add(host)
      }
    }
    visit(document.documentElement)
    return found
  }

  function byLabel(wanted, isExact) {
    const controls = 'input,textarea,select,button,meter,output,progress,[contenteditable],[role]'
    return query(controls).filter((element) => {
      const ids = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean)
      const named = ids.map((id) => element.getRootNode().getElementById?.(id)?.textContent)
      const labels = [...(element.labels ?? [])].map((label) => label.textContent)
      const names = [...named, ...labels, element.getAttribute('aria-label')]
      return names.some((name) => name != null && has(name, wanted, isExact))
    })
  }

  /** Throws where a selector is not CSS. */
  function find({ by, text, isExact }) {
    switch (by) {
      case 'text':
        return byText(text, isExact)
      case 'label':
        return byLabel(text, isExact)
      case 'placeholder':
        return query('[placeholder]').filter((one) => has(one.placeholder, text, isExact))
      case 'testid':
        return query('[data-testid]').filter((one) => one.dataset.testid === text)
      default:
        return query(text)
    }
  }

  const isVisible = (element) => {
    const { width, height } = element.getBoundingClientRect()
    return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true })
  }
  const isDisabled = (element) =>
    element.matches(':disabled') || element.closest('[aria-disabled="true"]') !== null

  const frame = () =>
    new Promise((resolve) => {
      requestAnimationFrame(resolve)
      setTimeout(resolve, 100)
    })

  /** The middle of it, once it stands still; undefined while it moves. */
  async function pointOf(element) {
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const before = element.getBoundingClientRect()
    await frame()
    const after = element.getBoundingClientRect()
    if (before.x !== after.x || before.y !== after.y) return undefined
    const rect = element.getClientRects()[0] ?? after
    return { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 }
  }

  function isHit(element, { x, y }) {
    const hit = element.getRootNode().elementFromPoint(x, y)
    if (hit === null) return false
    return (
      element.contains(hit) || hit.contains(element) || hit.closest('label')?.control === element
    )
  }

  const editable = (element) =>
    element.isContentEditable ||
    element.localName === 'textarea' ||
    (element.localName === 'input' &&
      !/^(button|submit|reset|checkbox|radio|file|image|hidden)$/.test(element.type))

  function selectAll(element) {
    element.focus()
    if (typeof element.select === 'function') element.select()
    else getSelection().selectAllChildren(element)
  }

  /** Fields that no key can write into. */
  function setValue(element, value) {
    element.value = value
    for (const name of ['input', 'change']) {
      element.dispatchEvent(new Event(name, { bubbles: true }))
    }
  }

  function choose(element, wanted) {
    const options = [...element.options]
    const option =
      options.find((one) => one.value === wanted) ??
      options.find((one) => has(one.label || one.textContent, wanted, true))
    if (option === undefined) return 'noOption'
    option.selected = true
    for (const name of ['input', 'change']) {
      element.dispatchEvent(new Event(name, { bubbles: true }))
    }
    return 'done'
  }

  /** What was written that nobody should see in a picture. */
  const hiddenFields = new Set()

  /** Does what an action needs done in the page: `done`, `at` with a point, or the word for what is in the way. */
  async function act(found, { need, value, isSecret }) {
    const elements = found.filter(isVisible)
    if (need === 'hidden') return { word: elements.length === 0 ? 'done' : 'stillThere' }
    if (found.length === 0) return { word: 'nothing' }
    const element = elements[0]
    if (element === undefined) return { word: 'invisible' }
    if (need === 'visible') return { word: 'done' }
    if (need === 'text') {
      const texts = elements.map((one) =>
        editable(one) && 'value' in one ? one.value : one.innerText,
      )
      return { word: texts.some((text) => has(text, value, false)) ? 'done' : 'otherText' }
    }
    if (isDisabled(element)) return { word: 'disabled' }
    if (need === 'click') {
      const point = await pointOf(element)
      if (point === undefined) return { word: 'moving' }
      return isHit(element, point) ? { word: 'at', ...point } : { word: 'covered' }
    }
    if (need === 'select') {
      if (element.localName !== 'select') return { word: 'noList' }
      element.focus()
      return { word: choose(element, value) }
    }
    if (need === 'focus') {
      element.focus()
      return { word: 'done' }
    }
    if (!editable(element)) return { word: 'noField' }
    if (element.readOnly) return { word: 'readOnly' }
    element.scrollIntoView({ block: 'center', behavior: 'instant' })
    if (isSecret) hiddenFields.add(element)
    if (
      element.localName === 'input' &&
      /^(date|time|datetime-local|month|week|color|range)$/.test(element.type)
    ) {
      setValue(element, value)
      return { word: element.value === value ? 'done' : 'noValue' }
    }
    selectAll(element)
    return { word: 'write' }
  }

  const vitals = { lcpMs: null, fcpMs: null, cls: 0 }
  const observe = (type, take) => {
    try {
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({
        type,
        buffered: true,
      })
    } catch {
      // This browser does not know it.
    }
  }
  observe('largest-contentful-paint', (entry) => {
    vitals.lcpMs = entry.startTime
  })
  observe('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') vitals.fcpMs = entry.startTime
  })
  // The largest sum of a session of shifts: less than a second apart, at most five seconds in all.
  let session = { sum: 0, firstMs: 0, lastMs: Number.NEGATIVE_INFINITY }
  observe('layout-shift', ({ hadRecentInput, startTime, value }) => {
    if (hadRecentInput) return
    const goesOn = startTime - session.lastMs < 1000 && startTime - session.firstMs < 5000
    session = goesOn
      ? { ...session, sum: session.sum + value, lastMs: startTime }
      : { sum: value, firstMs: startTime, lastMs: startTime }
    vitals.cls = Math.max(vitals.cls, session.sum)
  })

  return {
    find,
    act,
    /** Whether the page has the text where a person sees it. */
    shows: (text) => byText(text, false).some(isVisible),
    vitals() {
      const [page] = performance.getEntriesByType('navigation')
      return {
        ...vitals,
        ttfbMs: page?.responseStart || null,
        domMs: page?.domContentLoadedEventEnd || null,
        loadMs: page?.loadEventEnd || null,
        at: performance.timeOrigin,
      }
    },
    place: () => ({ url: location.href, title: document.title }),
    /** What was written from secrets is not in the picture, nor where the page repeats it. True: it is done. */
    hideSecrets(secrets) {
      const conceal = (element) =>
        element.style.setProperty('-webkit-text-security', 'disc', 'important')
      const isIn = (text) => secrets.some((secret) => secret !== '' && text.includes(secret))
      for (const element of hiddenFields) conceal(element)
      if (secrets.length === 0) return true
      for (const root of roots()) {
        for (const field of root.querySelectorAll('input,textarea,[contenteditable]')) {
          if (isIn(field.value ?? field.textContent)) conceal(field)
        }
        const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
        while (texts.nextNode()) {
          const parent = texts.currentNode.parentElement
          if (parent !== null && isIn(texts.currentNode.data)) conceal(parent)
        }
      }
      return true
    },
  }
})()
