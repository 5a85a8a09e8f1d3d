// What is wrong with a field, in German.

import type { Words } from '../en/en.ts'
import { counted } from '../model/plural.ts'

export const form: Words['form'] = {
  rules: {
    required: 'Bitte ausfüllen',
    number: 'Bitte eine Zahl eingeben',
    minLength: counted('Mindestens # Zeichen', 'Mindestens # Zeichen', 'de'),
    maxLength: counted('Höchstens # Zeichen', 'Höchstens # Zeichen', 'de'),
    minimum: (least) => `Mindestens ${least}`,
    maximum: (most) => `Höchstens ${most}`,
    minItems: counted('Mindestens # Eintrag', 'Mindestens # Einträge', 'de'),
    maxItems: counted('Höchstens # Eintrag', 'Höchstens # Einträge', 'de'),
    uniqueItems: 'Jeden Eintrag nur einmal',
    const: (only) => `Nur ${only}`,
    enum: (all) => `Eines von ${all}`,
    unknownField: 'Dieses Feld gibt es hier nicht',
    oneOf: 'Nur eines dieser Felder kann ausgefüllt sein',
    not: 'Diese Felder schließen sich aus',
    name: (rule) => `Der Name: ${rule}`,
    types: {
      string: 'Text',
      number: 'Eine Zahl',
      integer: 'Eine ganze Zahl',
      boolean: 'Ja oder nein',
      object: 'Felder mit Namen',
      array: 'Eine Liste',
    },
    formats: { email: 'Eine E-Mail-Adresse wie ann@example.com' },
  },
  forms: {
    'must not be blank': 'Darf nicht leer sein',
    'must be a time such as 2026-03-29T02:30:00Z, from 1970 to 2199':
      'Ein Zeitpunkt wie 2026-03-29T02:30:00Z, von 1970 bis 2199',
    'must be a time such as 2026-01-31T12:00:00Z': 'Ein Zeitpunkt wie 2026-01-31T12:00:00Z',
    'must be a time such as 22:00': 'Eine Uhrzeit wie 22:00',
    'must be a date as YYYY-MM-DD': 'Ein Datum als JJJJ-MM-TT',
    'must be the id of a channel': 'Die ID eines Kanals',
    'must be the id of a monitor': 'Die ID eines Monitors',
    'must be the id of a page': 'Die ID einer Statusseite',
    'must be the id of a maintenance': 'Die ID einer Wartung',
    'must be the id of a user': 'Die ID einer Person',
    'must be the id of a verification': 'Die ID einer Prüfung',
    'must not contain control characters, such as line breaks':
      'Ohne Steuerzeichen, etwa Zeilenumbrüche',
    'must be one line with visible characters and no control characters':
      'Eine Zeile mit sichtbaren Zeichen und ohne Steuerzeichen',
    'must be text in one line': 'Text in einer Zeile',
    'must be printable ASCII without spaces and line breaks':
      'Druckbare ASCII-Zeichen ohne Leerzeichen und Zeilenumbrüche',
    'must be U, C or R and 32 hexadecimal digits': 'U, C oder R und 32 hexadezimale Ziffern',
    'must be the id of a room, which begins with !': 'Die ID eines Raums, die mit ! beginnt',
    'must be 1 to 64 letters, digits, hyphens and underscores':
      '1 bis 64 Buchstaben, Ziffern, Binde- und Unterstriche',
    'must be the 32 letters and digits of an integration key':
      'Die 32 Buchstaben und Ziffern eines Integrationsschlüssels',
    'must be 30 letters and digits': '30 Buchstaben und Ziffern',
    'must be names of devices, separated by commas': 'Namen von Geräten, durch Kommas getrennt',
    'must be a phone number such as +15017122661': 'Eine Telefonnummer wie +15017122661',
    'must be a phone number, a group (group.…) or a user name (name.01)':
      'Eine Telefonnummer, eine Gruppe (group.…) oder ein Benutzername (name.01)',
    'must be the token that BotFather gave, such as 123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11':
      'Das Token von BotFather, etwa 123456:ABC-DEF1234ghIkl-zyx57W2v1u123ew11',
    'must be the number of a chat or the @name of a public channel':
      'Die Nummer eines Chats oder der @Name eines öffentlichen Kanals',
    'must be AC and 32 hexadecimal digits': 'AC und 32 hexadezimale Ziffern',
    'must be MG and 32 hexadecimal digits': 'MG und 32 hexadezimale Ziffern',
    'must be a phone number such as +15017122661, a short code or a sender name':
      'Eine Telefonnummer wie +15017122661, eine Kurzwahl oder ein Absendername',
    'must be the e-mail address of a bot': 'Die E-Mail-Adresse eines Bots',
    'must be a status such as 301 or a range such as 200-299':
      'Ein Status wie 301 oder ein Bereich wie 200-299',
    'must be a color such as #1f6feb': 'Eine Farbe wie #1f6feb',
    'may contain a-z, 0-9 and hyphens': 'Nur a-z, 0-9 und Bindestriche',
    'must have at least 8 characters': 'Mindestens 8 Zeichen',
    'must be an ISO 3166-1 country code, such as DE or DEU':
      'Ein Ländercode nach ISO 3166-1, etwa DE oder DEU',
    'must be a name of letters, digits, spaces and . _ @ / -':
      'Ein Name aus Buchstaben, Ziffern, Leerzeichen und . _ @ / -',
    'must be an http or https URL': 'Eine Adresse mit http:// oder https://',
    'must be an https URL': 'Eine Adresse mit https://',
    'must be one DNS label: a-z, 0-9 and inner hyphens, at most 63 characters':
      'Ein DNS-Label: a-z, 0-9 und Bindestriche im Inneren, höchstens 63 Zeichen',
    'must be letters, digits and single inner hyphens':
      'Buchstaben, Ziffern und einzelne Bindestriche im Inneren',
    'must be a path such as /app, or an http or https URL':
      'Ein Pfad wie /app oder eine Adresse mit http:// oder https://',
    "must have only letters, digits and !#$%&'*+-.^_`|~":
      "Nur Buchstaben, Ziffern und !#$%&'*+-.^_`|~",
    'must have only characters of Latin-1 and no line breaks':
      'Nur Zeichen aus Latin-1 und keine Zeilenumbrüche',
  },
}
