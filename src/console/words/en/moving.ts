// Importing files, also of other products.
import { counted } from '../model/plural.ts'

export const moving = {
  title: 'Import a file',
  about: 'You see what it would create before anything is created.',
  file: 'File',
  writtenBy: 'Written by',
  kinds: {
    stillup: 'stillup',
    kuma: 'Uptime Kuma',
    gatus: 'Gatus',
    healthchecks: 'Healthchecks',
  },
  kindHelp: {
    stillup:
      'An export of an organization. Secrets are not in it: channels that need them are created switched off.',
    kuma: 'A backup (Settings, Backup), or a list of monitors that a client of its API saved.',
    gatus: 'Its configuration in YAML.',
    healthchecks: 'The answer of GET /api/v3/checks/.',
  },
  noJson: 'The file is not JSON, as an export of stillup is.',
  preview: (file: string) => `${file} would create`,
  counts: {
    monitors: counted('# monitor', '# monitors', 'en'),
    channels: counted('# alert channel', '# alert channels', 'en'),
    statusPages: counted('# status page', '# status pages', 'en'),
    maintenance: counted('# maintenance window', '# maintenance windows', 'en'),
  },
  paused: counted(
    '# monitor will be paused until its secrets are set.',
    '# monitors will be paused until their secrets are set.',
    'en',
  ),
  awaiting: counted(
    'The export left secrets out: # channel is switched off until you enter them.',
    'The export left secrets out: # channels are switched off until you enter them.',
    'en',
  ),
  afterwards: 'After the import, enter them on the page of each channel, then switch it on.',
  imported: 'Imported',
  enterHere: 'Open a channel to enter its secrets, then switch it on.',
  notes: counted('# thing is not taken over', '# things are not taken over', 'en'),
  problems: counted('# problem in the file', '# problems in the file', 'en'),
  added: 'It is added to what is there. Alert channels of other products are not taken over.',
  submit: 'Import',
  done: counted('# monitor was imported.', '# monitors were imported.', 'en'),
}
