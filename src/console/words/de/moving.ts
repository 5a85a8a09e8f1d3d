// The import of files, also of other products, in German.

import type { Words } from '../en/en.ts'
import { counted } from '../model/plural.ts'

export const moving: Words['moving'] = {
  title: 'Datei importieren',
  about: 'Sie sehen, was angelegt würde, bevor etwas angelegt wird.',
  file: 'Datei',
  writtenBy: 'Geschrieben von',
  kinds: {
    stillup: 'stillup',
    kuma: 'Uptime Kuma',
    gatus: 'Gatus',
    healthchecks: 'Healthchecks',
  },
  kindHelp: {
    stillup:
      'Der Export einer Organisation. Geheimnisse fehlen darin: Kanäle, die sie brauchen, werden abgeschaltet angelegt.',
    kuma: 'Eine Sicherung (Einstellungen, Backup) oder eine Monitorliste, die ein Client seiner API gespeichert hat.',
    gatus: 'Seine Konfiguration in YAML.',
    healthchecks: 'Die Antwort von GET /api/v3/checks/.',
  },
  noJson: 'Die Datei ist kein JSON, wie es ein Export von stillup ist.',
  preview: (file) => `${file} würde anlegen`,
  counts: {
    monitors: counted('# Monitor', '# Monitore', 'de'),
    channels: counted('# Kanal', '# Kanäle', 'de'),
    statusPages: counted('# Statusseite', '# Statusseiten', 'de'),
    maintenance: counted('# Wartungsfenster', '# Wartungsfenster', 'de'),
  },
  paused: counted(
    '# Monitor wird pausiert, bis seine Geheimnisse gesetzt sind.',
    '# Monitore werden pausiert, bis ihre Geheimnisse gesetzt sind.',
    'de',
  ),
  awaiting: counted(
    'Im Export fehlen Geheimnisse: # Kanal ist abgeschaltet, bis sie eingetragen sind.',
    'Im Export fehlen Geheimnisse: # Kanäle sind abgeschaltet, bis sie eingetragen sind.',
    'de',
  ),
  afterwards: 'Nach dem Import auf der Seite jedes Kanals eintragen, dann den Kanal einschalten.',
  imported: 'Importiert',
  enterHere: 'Zum Eintragen den Kanal öffnen, dann einschalten.',
  notes: counted('# Angabe wird nicht übernommen', '# Angaben werden nicht übernommen', 'de'),
  problems: counted('# Fehler in der Datei', '# Fehler in der Datei', 'de'),
  added:
    'Alles kommt zu dem hinzu, was schon da ist. Kanäle anderer Produkte werden nicht übernommen.',
  submit: 'Importieren',
  done: counted('# Monitor wurde importiert.', '# Monitore wurden importiert.', 'de'),
}
