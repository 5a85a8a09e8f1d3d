// The English catalogue, one file for each area. The other languages have the same shape.

import type { ChannelFieldWords } from '../model/channel-fields.ts'
import { audit } from './audit.ts'
import { channels } from './channels.ts'
import { common } from './common.ts'
import { editor } from './editor.ts'
import { form } from './form.ts'
import { incidents } from './incidents.ts'
import { maintenance } from './maintenance.ts'
import { monitor } from './monitor.ts'
import { moving } from './moving.ts'
import { overview } from './overview.ts'
import { people } from './people.ts'
import { profile } from './profile.ts'
import { setup } from './setup.ts'
import { shell } from './shell.ts'
import { simulate } from './simulate.ts'
import { statusPages } from './status-pages.ts'
import { system } from './system.ts'
import { wall } from './wall.ts'

export const en = {
  /** Undefined where the words of the API are shown. */
  channelFields: undefined as ChannelFieldWords | undefined,
  /** What the daemon says in English; undefined if the language has no words for it. */
  said: (text: string): string | undefined => text,
  common,
  form,
  setup,
  shell,
  overview,
  monitor,
  editor,
  incidents,
  channels,
  maintenance,
  moving,
  people,
  audit,
  profile,
  simulate,
  statusPages,
  system,
  wall,
}

export type Words = typeof en
