// What a status page does where scripts run: times in the reader's own zone, and news as it comes.
// Everything else works without it.
;(() => {
  const script = document.currentScript
  const [main, news, lost] = ['main', 'news', 'lost'].map((id) => document.getElementById(id))
  if (!main) return
  // A little less than the interval, so that no round is left out because the one before came late.
  const usualMs = 59000
  const { lang } = document.documentElement
  const own = navigator.languages.find((tag) => tag.split('-')[0] === lang)
  const locale = `${own || (lang === 'en' ? 'en-GB' : lang)}-u-nu-latn`
  const formatOf = (parts) =>
    new Intl.DateTimeFormat(locale, { ...parts, hour: '2-digit', minute: '2-digit' })
  const hour = formatOf({})
  const short = formatOf({ day: 'numeric', month: 'short' })
  const full = formatOf({ day: 'numeric', month: 'long', year: 'numeric', timeZoneName: 'short' })

  // As long as what was served. Times that name their year also name their zone.
  function localize() {
    for (const time of document.querySelectorAll('time[datetime]')) {
      if (time.title) continue
      time.title = time.textContent
      const format = /\d{4}/.test(time.title) ? full : /^\S+$/.test(time.title) ? hour : short
      time.textContent = format.format(new Date(time.dateTime))
    }
    const named = document.getElementById('zone')
    if (named) named.textContent = full.resolvedOptions().timeZone
  }

  // A pointer on a bar reads what the list of bad days says; both are in the same order.
  main.addEventListener('pointerover', ({ target }) => {
    const row = target.closest('.svc summary')
    const bars = row?.querySelector('svg')
    const items = row?.parentElement.querySelectorAll('ul li')
    if (!items?.length || bars.querySelector('.t')) return
    const days = [...bars.querySelectorAll('.d,.p,.m')].flatMap((path) =>
      [...path.getAttribute('d').matchAll(/M(\d+) 5h(\d+)/g)].flatMap(([, from, length]) =>
        Array.from({ length }, (_, at) => Number(from) + at),
      ),
    )
    for (const [at, day] of days.sort((a, b) => b - a).entries()) {
      if (!items[at]) break
      bars.insertAdjacentHTML('beforeend', `<path class=t d="M${day} 5h1"><title/></path>`)
      bars.lastChild.firstChild.textContent = items[at].textContent
    }
  })

  // The same thing before and after: by its heading or address, and which of several it is.
  function named(selector, nameOf) {
    const found = new Map()
    for (const element of main.querySelectorAll(selector)) {
      let name = nameOf(element)
      while (found.has(name)) name += '+'
      found.set(name, element)
    }
    return found
  }
  const folds = () =>
    named('details', ({ firstElementChild }) => {
      return (firstElementChild.querySelector('h3') || firstElementChild).textContent
    })
  const links = () => named('a', (link) => link.getAttribute('href'))
  const keyOf = (map, wanted) => [...map].find(([, element]) => element === wanted)?.[0]
  const statesOf = (map) => new Map([...map].map(([key, fold]) => [key, fold.open]))

  let served = statesOf(folds())

  function swap(next) {
    const before = folds()
    const states = statesOf(before)
    const active = document.activeElement
    const fold = keyOf(before, active.parentElement)
    const link = keyOf(links(), active)
    // What is at the top of the window stays there.
    const topOf = (element) => element.getBoundingClientRect().top
    const [seen, anchor] = [...before].find(([, element]) => topOf(element) >= 0) || []
    const top = anchor && topOf(anchor)

    main.replaceChildren(...document.importNode(next, true).childNodes)
    const after = folds()
    const nowServed = statesOf(after)
    for (const [key, element] of after) {
      // Only what the reader has opened or closed; the rest is as it is served.
      if (states.get(key) !== served.get(key)) element.open = states.get(key)
    }
    served = nowServed
    localize()
    const target = after.get(fold)?.firstElementChild || links().get(link)
    target?.focus({ preventScroll: true })
    if (scrollY && after.has(seen)) scrollBy(0, topOf(after.get(seen)) - top)
  }

  const banner = () => main.querySelector('.overall h2')?.textContent
  let html = main.innerHTML
  // The stream tells the tag of the status page; a page below it has another, which it does not know.
  let { etag } = script.dataset
  let told = etag
  // How often it may still be asked for what was told: 0 is at once and later, 1 only later, 2 no more.
  let tries = 2
  let askedMs = Date.now()
  let isAsking = false

  async function refresh() {
    if (isAsking) return
    isAsking = true
    askedMs = Date.now()
    try {
      const reply = await fetch(location.href, { cache: 'no-cache' })
      const tag = reply.headers.get('etag')
      if (reply.ok && tag !== etag) {
        const page = new DOMParser().parseFromString(await reply.text(), 'text/html')
        const next = page.getElementById('main')
        const source = page.querySelector('script')?.getAttribute('src')
        // Another release, or a page that now asks for a password.
        if (!next || source !== script.getAttribute('src')) return location.reload()
        const said = banner()
        if (next.innerHTML !== html) {
          html = next.innerHTML
          swap(next)
        }
        etag = tag
        document.title = page.title
        const icon = 'link[rel=icon]'
        document.querySelector(icon).href = page.querySelector(icon).href
        if (banner() !== said) news.textContent = banner()
      }
      lost.hidden = reply.ok || reply.status === 429
    } catch {
      lost.hidden = false
    } finally {
      isAsking = false
      // At once if it was told while an older page was on its way; later, if a cache in front of the
      // service has an old copy, for ten seconds.
      if (told !== etag && tries < 2) setTimeout(refresh, 12000 * tries++)
    }
  }

  let stream
  function listen() {
    stream = new EventSource(script.dataset.events)
    stream.addEventListener('change', ({ data }) => {
      // Below the status page, what is told first is what was there.
      const isNews = told && data !== etag
      told = data
      if (!isNews) return
      tries = isAsking ? 0 : script.dataset.etag ? 1 : 2
      void refresh()
    })
  }

  function look() {
    // A browser opens six connections to a service at most: a hidden page leaves them to others.
    if (document.hidden) return setTimeout(() => document.hidden && stream?.close(), 5000)
    // Undefined at first, 1 is open, 2 closed. A connection may be gone without a sign of it.
    const state = stream?.readyState
    if (Date.now() - askedMs >= usualMs * (state === 1 ? 5 : 1)) void refresh()
    if (!(state < 2)) listen()
  }

  localize()
  look()
  setInterval(look, 60000)
  document.addEventListener('visibilitychange', look)
})()
