// The screen on the wall.
import { counted } from '../model/plural.ts'

export const wall = {
  title: 'Wall',
  make: 'Wall link',
  about:
    'Open this address on the screen. It is shown only now. Everybody who has it can read everything. To end it, revoke the key “Wall” under People, API keys.',
  ended:
    'This link was revoked, has expired, or its maker is gone. A new one is made on the overview.',
  allGood: 'Everything is up',
  wrong: counted('# monitor is not up', '# monitors are not up', 'en'),
  unknown: counted('# monitor has no result', '# monitors have no result', 'en'),
  more: counted('and # more', 'and # more', 'en'),
}
