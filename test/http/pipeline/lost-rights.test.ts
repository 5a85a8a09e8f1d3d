// A right that ends while a request runs ends the request: its body, its answer, a long download.
import { request } from 'node:http'
import t, { type Test } from 'tap'
import { anyText, object } from '../../../src/base/schema/schema.ts'
import { get, post, resource } from '../../../src/http/routing/route.ts'
import { serveAccess } from '../../support/access-api.ts'
import { until } from '../../support/until.ts'

const mebibyte = 1024 * 1024
const longBytes = 48 * mebibyte

/** Ann's key on an API with a slow, a long and a writing operation; `removeAnn` ends its right. */
async function open(t: Test) {
  const world = { made: 0, isWaiting: false, release: () => {} }
  const NoteOut = object({ title: anyText })
  const routes = resource('/orgs/:orgId/notes', {
    create: post('/', { who: { role: 'member' }, body: NoteOut, out: NoteOut }).handledBy(
      ({ body }) => {
        world.made += 1
        return body
      },
    ),
    slow: get('/slow', { who: { role: 'viewer' }, out: NoteOut }).handledBy(async () => {
      world.isWaiting = true
      await new Promise<void>((resolve) => {
        world.release = resolve
      })
      return { title: 'late' }
    }),
    long: get('/long', { who: { role: 'viewer' }, out: NoteOut }).handledBy(() => ({
      title: 'x'.repeat(longBytes),
    })),
  })
  const access = await serveAccess(t, routes)
  const alice = await access.enrol('alice')
  const { orgId } = alice.scope
  const ann = await access.enrolIn(orgId, 'ann', 'admin')
  const { id, key } = await access.keys.create(ann.scope, { name: 'ci', role: 'admin' })
  return {
    ...access,
    world,
    key,
    path: `/orgs/${orgId}/notes`,
    /** Whether a request with the key was let in. */
    async isIn() {
      await access.clock.advance(0)
      return typeof access.store.apiKeys.get(orgId, id)?.lastUsedAtMs === 'number'
    },
    removeAnn: () => access.members.remove(alice.scope, ann.user.id),
  }
}

for (const isRemoved of [true, false]) {
  const title = isRemoved ? 'is refused when its sender lost the right meanwhile' : 'is taken'
  t.test(`a body that arrives late ${title}`, async (t) => {
    const { url, path, key, world, isIn, removeAnn } = await open(t)
    const body = JSON.stringify({ title: 'New' })
    const headers = {
      'x-api-key': key,
      'content-type': 'application/json',
      'content-length': body.length,
    }
    const sending = request(url + path, { method: 'POST', headers })
    const status = new Promise<number | undefined>((resolve, reject) => {
      sending.on('response', (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      sending.on('error', reject)
    })
    sending.flushHeaders()
    await until(isIn)
    if (isRemoved) await removeAnn()
    sending.end(body)
    t.equal(await status, isRemoved ? 403 : 200)
    t.equal(world.made, isRemoved ? 0 : 1)
  })
}

t.test('an answer that is ready after the right has ended is not given', async (t) => {
  const { ask, path, key, world, removeAnn } = await open(t)
  const answer = ask('GET', `${path}/slow`, { key })
  await until(() => world.isWaiting)
  await removeAnn()
  world.release()
  const { status, text } = await answer
  t.equal(status, 403)
  t.notMatch(text, 'late')
})

for (const isRemoved of [true, false]) {
  t.test(
    `a long download ${isRemoved ? 'ends with the right to it' : 'comes whole'}`,
    async (t) => {
      const { url, path, key, removeAnn } = await open(t)
      const headers = { 'x-api-key': key }
      const bytes = await new Promise<number>((resolve, reject) => {
        const reading = request(`${url}${path}/long`, { headers }, async (response) => {
          let count = 0
          response.on('data', (chunk: Buffer) => {
            count += chunk.length
          })
          response.pause()
          response.on('close', () => resolve(count))
          response.on('error', () => {})
          if (isRemoved) await removeAnn()
          response.resume()
        })
        reading.on('error', reject)
        reading.end()
      })
      if (isRemoved) t.ok(bytes < longBytes, `${bytes} bytes came`)
      else t.ok(bytes > longBytes)
    },
  )
}
