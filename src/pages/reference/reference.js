// The script of the reference, for browsers: finds operations, copies commands, tries operations.

const answerCharsMax = 200_000

// Browsers offer the clipboard over https and on localhost only.
if (navigator.clipboard) {
  for (const pre of document.querySelectorAll('pre[data-copy]')) addCopyButton(pre)
}
const filter = document.querySelector('#filter')
if (filter) startFilter(filter)
const trial = document.querySelector('.try')
if (trial) startTrial(trial)

function addCopyButton(pre) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent)
    button.textContent = 'Copied'
  })
  pre.before(button)
}

function startFilter(input) {
  const groups = [...document.querySelectorAll('[data-group]')].map((group) => ({
    group,
    name: group.querySelector('h3').textContent,
    items: [...group.querySelectorAll('li')],
  }))
  const found = document.querySelector('#found')
  input.parentElement.hidden = false
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    let count = 0
    for (const { group, name, items } of groups) {
      for (const item of items) {
        const text = `${name} ${item.textContent}`.toLowerCase()
        item.hidden = !words.every((word) => text.includes(word))
        if (!item.hidden) count += 1
      }
      group.hidden = items.every((item) => item.hidden)
    }
    found.textContent = words.length === 0 ? '' : `${count} found`
  })
}

function startTrial(section) {
  const form = section.querySelector('form')
  const stop = section.querySelector('[data-stop]')
  const shown = section.querySelector('[data-answer]')
  const status = shown.querySelector('[role=status]')
  const body = shown.querySelector('[data-body]')
  section.hidden = false
  document.querySelector('.contents [href="#try"]').hidden = false
  recall(form)

  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    remember(form)
    const abort = new AbortController()
    stop.onclick = () => abort.abort()
    stop.hidden = false
    shown.hidden = false
    status.textContent = 'Waiting for the answer …'
    body.textContent = ''
    const beganMs = performance.now()
    try {
      const response = await fetch(urlOf(section, form), requestOf(section, form, abort.signal))
      const tookMs = Math.round(performance.now() - beganMs)
      status.textContent = statusOf(response, tookMs)
      await show(response, body)
    } catch (error) {
      status.textContent = abort.signal.aborted ? 'Stopped' : `No answer: ${error.message}`
    }
    stop.hidden = true
  })
}

function urlOf({ dataset }, form) {
  const path = dataset.path.replace(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(textIn(form, `path.${name}`)),
  )
  const query = new URLSearchParams()
  for (const { name, value } of form.elements) {
    if (name.startsWith('query.') && value !== '') query.set(name.slice(6), value)
  }
  return query.size > 0 ? `${path}?${query}` : path
}

function requestOf({ dataset }, form, signal) {
  const headers = new Headers()
  for (const { name, value } of form.elements) {
    if (name.startsWith('header.') && value !== '') headers.set(name.slice(7), value)
  }
  const key = textIn(form, 'key')
  if (key !== '') headers.set('authorization', `Bearer ${key}`)
  const { body } = form.elements
  if (body && body.value.trim() !== '') headers.set('content-type', body.dataset.type)
  return {
    method: dataset.method,
    headers,
    signal,
    redirect: 'manual',
    ...(headers.has('content-type') ? { body: body.value } : {}),
  }
}

function textIn(form, name) {
  return form.elements[name]?.value.trim() ?? ''
}

function statusOf(response, tookMs) {
  if (response.type === 'opaqueredirect') return `A redirect, after ${tookMs} ms`
  const id = response.headers.get('x-request-id')
  return `${response.status}, after ${tookMs} ms${id ? `, ${id}` : ''}`
}

/** As it arrives, so that an event stream is seen too; JSON is indented at the end. */
async function show(response, body) {
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  let text = ''
  while (reader && text.length <= answerCharsMax) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
    body.textContent = text.slice(0, answerCharsMax)
  }
  if (text.length > answerCharsMax) await reader.cancel()
  if (!response.headers.get('content-type')?.includes('json')) return
  if (text.length <= answerCharsMax) body.textContent = JSON.stringify(JSON.parse(text), null, 2)
}

/** The key and the ids are the same for many operations. */
function remembered({ name }) {
  return name === 'key' || name.startsWith('path.')
}

function remember(form) {
  for (const input of form.elements) {
    if (remembered(input)) sessionStorage.setItem(`docs.${input.name}`, input.value)
  }
}

function recall(form) {
  for (const input of form.elements) {
    if (remembered(input)) input.value = sessionStorage.getItem(`docs.${input.name}`) ?? ''
  }
}
