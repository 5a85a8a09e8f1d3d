// Runs in a world of its own beside the scripts of each page: finds elements, tells what they are like, and keeps
// the Web Vitals. The page sees nothing of it, and cannot change what it is made of.
globalThis.stillup = (() => {
  const flat = (text) => (text ?? '').replace(/\s+/g, ' ').trim()
  /** As a pattern means it: the whole, a part in any case, or a regular expression. */
  function has(text, { text: wanted, isExact, flags }) {
    if (flags !== undefined) return new RegExp(wanted, flags).test(flat(text))
    if (isExact) return flat(text) === flat(wanted)
    return flat(text).toLowerCase().includes(flat(wanted).toLowerCase())
  }

  /** What is searched, and the open shadow roots in it. */
  function roots(scope = document) {
    const found = scope.shadowRoot ? [scope, scope.shadowRoot] : [scope]
    for (const root of found) {
      for (const element of root.querySelectorAll('*')) {
        if (element.shadowRoot) found.push(element.shadowRoot)
      }
    }
    return found
  }
  const query = (css, scope) => roots(scope).flatMap((root) => [...root.querySelectorAll(css)])

  const isButton = (element) =>
    element.localName === 'input' && /^(button|submit|reset)$/.test(element.type)
  const textOf = (element) => (isButton(element) ? element.value : (element.textContent ?? ''))

  /** The smallest elements that have the text. */
  function byText(pattern, scope = document.documentElement) {
    const found = []
    // Of what an expression fits, a part may be enough, so that no element is passed over unseen.
    const isMaybe = (text) =>
      pattern.flags !== undefined || has(text, { ...pattern, isExact: false })
    const visit = (element) => {
      if (/^(script|style|noscript|template|head)$/.test(element.localName)) return false
      let isInside = false
      for (const child of element.shadowRoot?.children ?? []) {
        if (visit(child)) isInside = true
      }
      const isHere = isMaybe(textOf(element))
      if (isHere || hosts.has(element)) {
        for (const child of element.children) if (visit(child)) isInside = true
      }
      if (isHere && !isInside && has(textOf(element), pattern)) {
        found.push(element)
        return true
      }
      return isInside
    }
    // What has a shadow root somewhere below must be looked into, whatever text is around it.
    const hosts = new Set()
    for (const root of roots(scope)) {
      for (let host = root.host; host; host = host.parentElement ?? host.getRootNode().host) {
        hosts.add(host)
      }
    }
    visit(scope)
    return found
  }

  function byLabel(pattern, scope) {
    const controls = 'input,textarea,select,button,meter,output,progress,[contenteditable],[role]'
    return query(controls, scope).filter((element) => {
      const ids = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter(Boolean)
      const named = ids.map((id) => element.getRootNode().getElementById?.(id)?.textContent)
      const labels = [...(element.labels ?? [])].map((label) => label.textContent)
      const names = [...named, ...labels, element.getAttribute('aria-label')]
      return names.some((name) => name != null && has(name, pattern))
    })
  }

  function byPath(path, scope = document) {
    const { ORDERED_NODE_SNAPSHOT_TYPE } = XPathResult
    const found = document.evaluate(path, scope, null, ORDERED_NODE_SNAPSHOT_TYPE, null)
    const nodes = Array.from({ length: found.snapshotLength }, (_, at) => found.snapshotItem(at))
    return nodes.filter((node) => node.nodeType === Node.ELEMENT_NODE)
  }

  const byAttribute = (name, pattern, scope) =>
    query(`[${name}]`, scope).filter((one) => has(one.getAttribute(name), pattern))

  /** What one part of a selector finds in a scope; `named`: what has the role, in the whole document. */
  function search(part, scope, named) {
    const { by, text } = part
    switch (by) {
      case 'text':
        return byText(part, scope)
      case 'label':
        return byLabel(part, scope)
      case 'placeholder':
      case 'alt':
      case 'title':
        return byAttribute(by, part, scope)
      case 'testid':
        return byAttribute('data-testid', { ...part, ...exactly(part) }, scope)
      case 'xpath':
        return byPath(text, scope)
      case 'role':
        return named.filter((one) => scope === undefined || isWithin(one, scope))
      default:
        return query(text, scope)
    }
  }
  /** An identifier is no sentence: a part of it is another one. */
  const exactly = ({ flags }) => (flags === undefined ? { isExact: true } : {})

  function isWithin(element, scope) {
    for (let at = element.parentNode; at; at = at.parentNode ?? at.host)
      if (at === scope) return true
    return false
  }

  /** Which of what was found is meant; undefined: the part says something else. */
  function chosen(part, found) {
    const { by, text } = part
    switch (by) {
      case 'has-text':
        return found.filter((one) => has(textOf(one), part))
      case 'has-not-text':
        return found.filter((one) => !has(textOf(one), part))
      case 'is':
        return found.filter((one) => one.matches(text))
      case 'nth':
        return found.slice(Number(text)).slice(0, 1)
      default:
        return undefined
    }
  }

  /** Throws where a selector is not CSS, or no XPath. `named`: for each part what has its role. */
  function find(parts, named = []) {
    let found
    for (const [at, part] of parts.entries()) {
      const among = found === undefined ? undefined : chosen(part, found)
      const scopes = found ?? [undefined]
      const inside = () => scopes.flatMap((scope) => search(part, scope, named[at] ?? []))
      found = among ?? [...new Set(inside())]
    }
    return found
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
      options.find((one) => has(one.label || one.textContent, { text: wanted, isExact: true }))
    if (option === undefined) return 'noOption'
    option.selected = true
    for (const name of ['input', 'change']) {
      element.dispatchEvent(new Event(name, { bubbles: true }))
    }
    return 'done'
  }

  /** A file, by its name in the first line; what follows is in it. */
  function chooseFile(element, text) {
    if (element.localName !== 'input' || element.type !== 'file') return 'noFiles'
    const [name, ...lines] = text.split('\n')
    const chosen = new DataTransfer()
    chosen.items.add(new File([lines.join('\n')], name))
    element.files = chosen.files
    for (const event of ['input', 'change']) {
      element.dispatchEvent(new Event(event, { bubbles: true }))
    }
    return 'done'
  }

  const isChecked = (element) =>
    'checked' in element
      ? element.checked
      : element.closest('[aria-checked]')?.getAttribute('aria-checked') === 'true'

  const isIn = {
    checked: isChecked,
    unchecked: (element) => !isChecked(element),
    enabled: (element) => !isDisabled(element),
    disabled: isDisabled,
    editable: (element) => editable(element) && !element.readOnly && !isDisabled(element),
    focused: (element) => element.getRootNode().activeElement === element,
    empty: (element) => flat('value' in element ? element.value : element.textContent) === '',
    attached: () => true,
  }

  /** The texts that a person may mean: what is written in it, and what it shows. */
  function textsOf(element) {
    if (element.localName === 'select') {
      return [element.value, ...Array.from(element.selectedOptions, (one) => one.label)]
    }
    return [editable(element) && 'value' in element ? element.value : element.innerText]
  }

  /** What was written that nobody should see in a picture. */
  const hiddenFields = new Set()

  /** Does what an action needs done in the page: `done`, `at` with a point, or the word for what is in the way. */
  async function act(found, { need, value, pattern, isSecret }) {
    if (need === 'count') return { word: found.length === Number(value) ? 'done' : 'otherCount' }
    if (need === 'state' && found.length > 0) {
      return { word: found.some(isIn[value]) ? 'done' : 'otherState' }
    }
    // Pages often hide the field, and show a button of their own.
    if (need === 'upload' && found.length > 0) return { word: chooseFile(found[0], value) }
    const elements = found.filter(isVisible)
    if (need === 'hidden') return { word: elements.length === 0 ? 'done' : 'stillThere' }
    if (found.length === 0) return { word: 'nothing' }
    const element = elements[0]
    if (element === undefined) return { word: 'invisible' }
    if (need === 'visible') return { word: 'done' }
    if (need === 'text') {
      const texts = elements.flatMap(textsOf)
      return { word: texts.some((text) => has(text, pattern)) ? 'done' : 'otherText' }
    }
    if (need === 'check' && isChecked(element) === value) return { word: 'done' }
    if (need !== 'hover' && isDisabled(element)) return { word: 'disabled' }
    if (need === 'click' || need === 'hover' || need === 'check') {
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
    /** The frame that is meant: what a person sees, or else the first. */
    firstOf: (found) => found.find(isVisible) ?? found[0],
    /** A point inside of a frame as one around it; undefined: something else is in front of it there. */
    around(element, x, y) {
      const { left, top } = element.getBoundingClientRect()
      const { paddingLeft, paddingTop } = getComputedStyle(element)
      const point = {
        x: left + element.clientLeft + Number.parseFloat(paddingLeft) + x,
        y: top + element.clientTop + Number.parseFloat(paddingTop) + y,
      }
      return isHit(element, point) ? point : undefined
    },
    /** Whether the page has the text where a person sees it. */
    shows: (pattern) => byText(pattern).some(isVisible),
    says: (what, pattern) => has(what === 'url' ? location.href : document.title, pattern),
    /** Which of the names fit. */
    fitting: (names, pattern) => names.map((name) => has(name, pattern)),
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
      const hasOne = (text) => secrets.some((secret) => secret !== '' && text.includes(secret))
      for (const element of hiddenFields) conceal(element)
      if (secrets.length === 0) return true
      for (const root of roots()) {
        for (const field of root.querySelectorAll('input,textarea,[contenteditable]')) {
          if (hasOne(field.value ?? field.textContent)) conceal(field)
        }
        const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
        while (texts.nextNode()) {
          const parent = texts.currentNode.parentElement
          if (parent !== null && hasOne(texts.currentNode.data)) conceal(parent)
        }
      }
      return true
    },
  }
})()
