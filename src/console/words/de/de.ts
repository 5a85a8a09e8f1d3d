// The German catalogue.

import type { Words } from '../en/en.ts'
import { germanTimes, sentences } from '../said/german.ts'
import { translatorOf } from '../said/translator.ts'
import { audit } from './audit.ts'
import { channelFields } from './channel-fields.ts'
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

export const de: Words = {
  channelFields,
  said: translatorOf(sentences, germanTimes),
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
