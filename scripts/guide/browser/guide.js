// The script of every page of the guide, for browsers: colours, copying, and the way into the search.

const place = document.currentScript
const shownMax = 8

// Light or dark as it was chosen in the console; a page from a disk may not be allowed to look.
try {
  const chosen = localStorage.getItem('stillup.theme')
  if (chosen === 'light' || chosen === 'dark') document.documentElement.classList.add(chosen)
} catch {}

document.addEventListener('DOMContentLoaded', () => {
  // Browsers offer the clipboard over https and on localhost only.
  if (navigator.clipboard) document.querySelectorAll('.code').forEach(addCopyButton)
  watchWidths()
  const form = document.querySelector('.search')
  if (form) startSearch(form)
})

function addCopyButton(block) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = place.dataset.copy
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent.trimEnd())
    button.textContent = place.dataset.copied
    setTimeout(() => {
      button.textContent = place.dataset.copy
    }, 2_000)
  })
  block.querySelector('pre').prepend(button)
}

/** What is wider than its place is scrolled, by keys too. */
function watchWidths() {
  const wide = document.querySelectorAll('.wide')
  const look = () => {
    for (const one of wide) {
      if (one.scrollWidth > one.clientWidth) one.tabIndex = 0
      else one.removeAttribute('tabindex')
    }
  }
  look()
  addEventListener('resize', look)
}

let loading

/** The search is large: it comes once, when somebody wants it. */
function loadSearch() {
  loading ??= new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.src = place.dataset.search
    script.onload = () => resolve(window.searchGuide)
    script.onerror = () => {
      loading = undefined
      reject(new Error('the search could not be loaded'))
    }
    document.head.append(script)
  })
  return loading
}

function startSearch(form) {
  const input = form.querySelector('input')
  const list = form.querySelector('.found')
  const status = form.querySelector('[role=status]')
  let options = []
  let chosen = -1
  form.hidden = false

  function choose(at) {
    chosen = at
    options.forEach((option, index) => {
      option.setAttribute('aria-selected', String(index === at))
    })
    if (at < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', options[at].id)
    options[at]?.scrollIntoView({ block: 'nearest' })
  }

  function close() {
    list.hidden = true
    input.setAttribute('aria-expanded', 'false')
    choose(-1)
  }

  async function look() {
    const wanted = input.value.trim()
    if (wanted === '') {
      status.textContent = ''
      return close()
    }
    let found
    try {
      found = (await loadSearch())(wanted).slice(0, shownMax)
    } catch (error) {
      status.textContent = error.message
      return
    }
    // Somebody typed on while it was loaded.
    if (input.value.trim() !== wanted) return
    options = found.map(optionOf)
    list.replaceChildren(...(options.length > 0 ? options : [nothing()]))
    list.hidden = false
    input.setAttribute('aria-expanded', 'true')
    status.textContent = `${options.length} ${place.dataset.found}`
    choose(options.length > 0 ? 0 : -1)
  }

  input.addEventListener('input', look)
  input.addEventListener('focus', () => {
    loadSearch().catch(() => undefined)
    if (input.value.trim() !== '') void look()
  })
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') choose(Math.min(chosen + 1, options.length - 1))
    else if (event.key === 'ArrowUp') choose(Math.max(chosen - 1, 0))
    else if (event.key === 'Escape') close()
    else return
    event.preventDefault()
  })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    if (!list.hidden) options[chosen]?.click()
  })
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!form.contains(relatedTarget)) close()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = /^(?:INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
  })
}

function optionOf({ href, page, heading, text }, index) {
  const option = document.createElement('a')
  option.id = `found-${index}`
  option.href = href
  option.tabIndex = -1
  option.setAttribute('role', 'option')
  const title = document.createElement('b')
  title.textContent = heading
  const where = document.createElement('span')
  where.textContent = heading === page ? text : `${page} · ${text}`
  option.append(title, where)
  return option
}

function nothing() {
  const note = document.createElement('p')
  note.textContent = place.dataset.nothing
  note.lang = document.documentElement.lang
  note.dir = 'auto'
  return note
}
