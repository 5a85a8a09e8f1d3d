// What a person reads of what has no equivalent here.
import t from 'tap'
import { noteLines } from '../../../src/commands/moving/note-lines.ts'

const document = {
  monitors: [
    { name: 'Site', origin: 'monitor/1' },
    { name: 'Container', origin: 'monitor/2', isActive: false },
    { name: 'Without origin' },
  ],
  statusPages: [{ name: 'Page', origin: 'status_page/1', isEnabled: false }],
}

t.test('notes are told by what became of the item, each item once', async (t) => {
  const notes = [
    { name: 'Site', origin: 'monitor/1', text: 'its proxy: list it' },
    { name: 'Odd', origin: 'monitor/3', text: 'that it ends' },
    { name: 'Container', origin: 'monitor/2', text: 'its host: list it, then resume' },
    { name: 'Site', origin: 'monitor/1', text: 'its cookie was left out' },
    { name: 'Odd', origin: 'monitor/3', text: 'no equivalent: the monitor was left out' },
    { name: 'Pager', origin: 'channel/4', text: 'left out: there is no such kind' },
    { name: 'Page', origin: 'status_page/1', text: 'its picture: upload it' },
    { name: 'Without origin', text: 'its icon' },
    { name: null, text: 'its API keys: make new ones' },
    { name: null, text: 'its time zone: set it' },
    { name: '127.0.0.1:1080', origin: 'proxy/1', text: 'list it' },
  ]
  t.same(noteLines(notes, document), [
    'Not running yet: paused there, or until this is done (2):',
    '  "Container": its host: list it, then resume (monitor/2)',
    '  "Page": its picture: upload it (status_page/1)',
    'Left out (2):',
    '  "Odd": that it ends; no equivalent: the monitor was left out (monitor/3)',
    '  "Pager": there is no such kind (channel/4)',
    'Comes in another way, or without this (2):',
    '  "Site": its proxy: list it; its cookie was left out (monitor/1)',
    '  "Without origin": its icon',
    'For the whole organization, or for the operator of the service (3):',
    '  its API keys: make new ones',
    '  its time zone: set it',
    '  "127.0.0.1:1080": list it (proxy/1)',
  ])
})

t.test('nothing is told of nothing, and no text can steer a terminal', async (t) => {
  t.same(noteLines([], document), [])
  const lines = noteLines([{ name: '\u001b[2J', text: '\u001b[1A' }], undefined)
  t.equal(lines.length, 2)
  t.notOk(lines.join('').includes('\u001b'))
})
