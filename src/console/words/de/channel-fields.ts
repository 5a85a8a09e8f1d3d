// The fields of each type of channel, in German.
import type { ChannelFieldWords, FieldWords } from '../model/channel-fields.ts'

const hookOf = (platform: string): FieldWords => [
  'Webhook-URL',
  `Die URL eines eingehenden Webhooks von ${platform}; sie ist das Geheimnis des Kanals.`,
]

export const channelFields: ChannelFieldWords = {
  webhook: {
    url: ['URL', 'http oder https.'],
    secret: [
      'Geheimnis',
      'Signiert nach Standard Webhooks; ohne Angabe wird es erzeugt und einmal gezeigt. Ändert es sich, wird das bisherige zu previousSecret.',
    ],
    previousSecret: [
      'Voriges Geheimnis',
      'Signiert bis previousSecretUntil mit, damit der Empfänger sein Geheimnis inzwischen ändern kann; leer endet das sofort.',
    ],
    previousSecretUntil: [
      'Voriges Geheimnis gilt bis',
      'Ohne Angabe 24 Stunden nach der Änderung des Geheimnisses.',
    ],
    v1a: [
      'Mit Schlüsselpaar signieren (v1a)',
      'Signiert zusätzlich mit einem Schlüsselpaar (Ed25519); publicKey prüft, sodass der Empfänger kein Geheimnis braucht.',
    ],
    signingKey: [
      'Signaturschlüssel',
      'Der private Schlüssel für v1a: whsk_ und Base64; ohne Angabe wird er erzeugt. Eine Änderung wirkt sofort: der Empfänger soll sich so lange auf das Geheimnis verlassen.',
    ],
    publicKey: [
      'Öffentlicher Schlüssel',
      'Prüft die v1a-Signaturen; er folgt aus dem Signaturschlüssel, was auch immer gesendet wird.',
    ],
    headers: ['Kopfzeilen', 'Werden mit jeder Nachricht gesendet; ihre Werte erscheinen maskiert.'],
    method: ['Methode', 'Ohne Angabe POST.'],
    format: [
      'Format',
      'cloudevents: der Inhalt als CloudEvent 1.0 in JSON (structured mode). Ohne Angabe standard.',
    ],
    bodyTemplate: [
      'Vorlage des Inhalts',
      'Wird anstelle des üblichen Inhalts gesendet; {{path}} wird durch den Wert an diesem Pfad ersetzt, {{title}} und {{text}} durch die Nachricht in Worten. Ein Wert, den eine Nachricht nicht hat, ist leer; ein Pfad, den keine Nachricht hat, wird abgelehnt.',
    ],
  },
  email: {
    to: [
      'An',
      'Die Adressen; jede bekommt eine eigene E-Mail mit einem Link, der diese E-Mails beendet.',
    ],
  },
  slack: { webhookUrl: hookOf('Slack') },
  pagerduty: {
    routingKey: [
      'Integrationsschlüssel',
      'Der Schlüssel einer Integration der Art Events API v2 eines Dienstes.',
    ],
    url: [
      'URL',
      'Ohne Angabe https://events.pagerduty.com/v2/enqueue; Konten der EU-Region brauchen https://events.eu.pagerduty.com/v2/enqueue.',
    ],
  },
  opsgenie: {
    apiKey: ['API-Schlüssel', 'Der Schlüssel einer API-Integration, die Alarme erstellen darf.'],
    region: [
      'Region',
      'Ohne Angabe us; eu für Konten der EU; jsm für eine API-Integration von Jira Service Management, wohin Konten umziehen, bevor Opsgenie am 05.04.2027 endet.',
    ],
  },
  'splunk-oncall': {
    url: [
      'URL',
      'Die URL der REST-Integration, mit dem Routing-Key des Teams anstelle von $routing_key; sie ist das Geheimnis des Kanals.',
    ],
  },
  alertmanager: {
    url: [
      'URL',
      'Wo Alertmanager erreichbar ist, mit seinem Pfadpräfix, falls er eines hat. In einem Cluster braucht jedes Mitglied einen eigenen Kanal: Mitglieder teilen Alarme nicht.',
    ],
    username: ['Benutzername', 'Für Basic-Authentifizierung.'],
    password: ['Passwort', 'Für Basic-Authentifizierung.'],
    token: ['Token', 'Ein Bearer-Token anstelle von Benutzername und Passwort.'],
    labels: [
      'Labels',
      'Werden jedem Alarm hinzugefügt, für die Routen von Alertmanager. Eine Änderung erreicht offene Alarme nicht: beenden Sie zuerst deren Vorfälle.',
    ],
  },
  ntfy: {
    server: ['Server', 'Ohne Angabe https://ntfy.sh.'],
    topic: [
      'Topic',
      'Wer den Namen eines öffentlichen Topics kennt, kann mitlesen; deshalb wird er wie ein Geheimnis behandelt.',
    ],
    token: ['Token', 'Ein Zugriffstoken; ersetzt Benutzername und Passwort.'],
    username: ['Benutzername', 'Zusammen mit dem Passwort, für ein geschütztes Topic.'],
    password: ['Passwort', 'Das Passwort zum Benutzernamen.'],
  },
  gotify: {
    server: ['Server', 'Die URL des Servers, mit seinem Pfad, falls er einen hat.'],
    token: ['Token', 'Das Token einer Anwendung, nicht das eines Clients.'],
  },
  pushover: {
    userKey: ['Benutzerschlüssel', 'Der Schlüssel eines Benutzers oder einer Gruppe.'],
    appToken: ['App-Token', 'Das API-Token Ihrer Anwendung bei Pushover.'],
    device: ['Gerät', 'Nur an diese Geräte des Benutzers, durch Kommas getrennt.'],
    outagePriority: [
      'Priorität eines Ausfalls',
      'Die Priorität, wenn ein Ausfall beginnt; ohne Angabe 1. Mit 2 ertönt der Ton eine Stunde lang jede Minute, bis jemand in Pushover bestätigt oder der Ausfall vorbei ist.',
    ],
  },
  twilio: {
    accountSid: ['Account-SID', 'Die SID des Kontos.'],
    authToken: ['Auth-Token', 'Das Auth-Token des Kontos.'],
    from: [
      'Absender',
      'Die Nummer oder der Name des Absenders; nötig, wenn kein Messaging-Service angegeben ist.',
    ],
    messagingServiceSid: [
      'Messaging-Service-SID',
      'Der Messaging-Service, der den Absender wählt; ersetzt den Absender.',
    ],
    to: ['An', 'Jede dieser Telefonnummern bekommt eine SMS.'],
  },
  discord: { webhookUrl: hookOf('Discord') },
  teams: { webhookUrl: hookOf('einem Workflow in Microsoft Teams') },
  googlechat: { webhookUrl: hookOf('einem Bereich in Google Chat') },
  mattermost: { webhookUrl: hookOf('Mattermost') },
  rocketchat: { webhookUrl: hookOf('Rocket.Chat') },
  zulip: {
    site: ['Adresse', 'Die URL der Organisation oder die eines eigenen Servers.'],
    botEmail: ['E-Mail-Adresse des Bots', 'Wie Zulip sie zeigt.'],
    apiKey: ['API-Schlüssel', 'Der API-Schlüssel des Bots.'],
    stream: ['Kanal in Zulip', 'Der Name eines Kanals, in den der Bot schreiben darf.'],
    topic: ['Thema', 'Für alle Nachrichten; ohne Angabe hat jeder Vorfall ein eigenes Thema.'],
  },
  webex: {
    token: ['Token', 'Das Zugriffstoken eines Bots, der im Raum ist.'],
    roomId: ['Raum-ID', 'Die ID des Raums, wie die API sie nennt.'],
  },
  matrix: {
    homeserver: ['Homeserver', 'Die URL des Servers, auf dem das Konto ist.'],
    roomId: [
      'Raum-ID',
      'Ein Raum, in dem das Konto ist und der nicht verschlüsselt ist; kein Alias.',
    ],
    token: ['Token', 'Ein Zugriffstoken des Kontos.'],
  },
  signal: {
    url: ['URL', 'Die URL Ihres Gateways, eines Servers mit signal-cli-rest-api.'],
    from: ['Absender', 'Die Nummer, die am Gateway registriert ist.'],
    to: [
      'An',
      'Jede dieser Nummern, Benutzernamen oder Gruppen (group.…, wie das Gateway sie nennt) bekommt eine Nachricht.',
    ],
    username: ['Benutzername', 'Zusammen mit dem Passwort, wenn ein Proxy das Gateway schützt.'],
    password: ['Passwort', 'Das Passwort zum Benutzernamen.'],
  },
  telegram: {
    botToken: ['Bot-Token', 'Das Token des Bots, von @BotFather.'],
    chatId: [
      'Chat-ID',
      'Der Chat, in dem der Bot sein muss, oder der @Name eines öffentlichen Kanals.',
    ],
    messageThreadId: ['Thema', 'Das Thema eines Forums, in dem die Nachrichten erscheinen.'],
    apiUrl: [
      'API-URL',
      'Die URL eines eigenen Bot-API-Servers; ohne Angabe https://api.telegram.org.',
    ],
  },
  line: {
    channelAccessToken: ['Channel-Access-Token', 'Das Token eines Kanals der Messaging API.'],
    to: [
      'An',
      'Die ID eines Benutzers (U…), einer Gruppe (C…) oder eines Raums (R…), wie Webhooks von LINE sie nennen.',
    ],
  },
  feishu: {
    webhookUrl: hookOf('Feishu oder Lark (ein eigener Bot in einer Gruppe)'),
    secret: ['Geheimnis', 'Nur wenn der Bot Signaturen prüft.'],
  },
  dingtalk: {
    webhookUrl: hookOf('DingTalk (ein eigener Roboter in einer Gruppe)'),
    secret: ['Geheimnis', 'Das Geheimnis (SEC…), wenn der Roboter Signaturen prüft.'],
  },
  wecom: { webhookUrl: hookOf('WeCom (ein Roboter in einer Gruppe)') },
}
