// The screen on the wall, in German.

import type { Words } from '../en/en.ts'
import { counted } from '../model/plural.ts'

export const wall: Words['wall'] = {
  title: 'Wand',
  make: 'Link für die Wand',
  about:
    'Öffnen Sie diese Adresse auf dem Bildschirm. Sie erscheint nur jetzt. Wer sie hat, kann alles lesen. Um sie zu beenden, widerrufen Sie den Schlüssel „Wand“ unter Personen, API-Schlüssel.',
  ended:
    'Dieser Link wurde widerrufen, ist abgelaufen, oder die Person, die ihn erstellt hat, ist nicht mehr da. Einen neuen gibt es auf der Übersicht.',
  allGood: 'Alles ist erreichbar',
  wrong: counted('# Monitor ist nicht erreichbar', '# Monitore sind nicht erreichbar', 'de'),
  unknown: counted('# Monitor hat kein Ergebnis', '# Monitore haben kein Ergebnis', 'de'),
  more: counted('und # weiterer', 'und # weitere', 'de'),
}
