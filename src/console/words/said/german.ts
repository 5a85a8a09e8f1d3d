// What checks, incidents and channels say, in German.
import type { Sentence } from './sentences.ts'

export const sentences: Readonly<Record<Sentence, string>> = {
  // Frames
  '[cause] at {url} after {count} redirects': '[cause], bei {url} nach {count} Weiterleitungen',
  '[cause] at {url} after 1 redirect': '[cause], bei {url} nach 1 Weiterleitung',
  '[cause] after {count} redirects': '[cause], nach {count} Weiterleitungen',
  '[cause] after 1 redirect': '[cause], nach 1 Weiterleitung',
  '[cause] (there is no ping on this machine, so TCP on ports 443 and 80 was used)':
    '[cause] (auf diesem Rechner gibt es kein ping, daher wurde TCP an den Ports 443 und 80 verwendet)',
  '[cause] (ping is not permitted on this machine, so TCP on ports 443 and 80 was used)':
    '[cause] (ping ist auf diesem Rechner nicht erlaubt, daher wurde TCP an den Ports 443 und 80 verwendet)',
  '[cause] (ping is too slow on this machine, so TCP on ports 443 and 80 was used)':
    '[cause] (ping ist auf diesem Rechner zu langsam, daher wurde TCP an den Ports 443 und 80 verwendet)',
  '[cause] (ping does not work on this machine, so TCP on ports 443 and 80 was used)':
    '[cause] (ping funktioniert auf diesem Rechner nicht, daher wurde TCP an den Ports 443 und 80 verwendet)',
  '[first]: [second]': '[first]: [second]',
  '[first]; [second]': '[first]; [second]',
  '[first]: {detail}': '[first]: {detail}',
  // Checks
  'the check could not be made: [reason]': 'die Prüfung war nicht möglich: [reason]',
  'the check failed because of a bug in this service':
    'die Prüfung scheiterte an einem Fehler dieses Dienstes',
  'the check was stopped': 'die Prüfung wurde abgebrochen',
  'not counted: this machine stood still for {seconds} s during the check':
    'nicht gezählt: dieser Rechner stand während der Prüfung {seconds} s lang still',
  'the check took {found} ms; the limit is {limit} ms':
    'die Prüfung dauerte {found} ms; die Grenze ist {limit} ms',
  'examining the answers to the checks of this organization takes more time than it may':
    'die Antworten auf die Prüfungen dieser Organisation auszuwerten dauert länger als erlaubt',
  'not finished within {time} ms, still looking up the name':
    'nach {time} ms nicht fertig: der Name wurde noch gesucht',
  'not finished within {time} ms, still connecting':
    'nach {time} ms nicht fertig: die Verbindung kam nicht zustande',
  'not finished within {time} ms, still in the TLS handshake':
    'nach {time} ms nicht fertig: noch im TLS-Handshake',
  'not finished within {time} ms, still waiting for the response':
    'nach {time} ms nicht fertig: die Antwort stand noch aus',
  'not finished within {time} ms, still reading the response':
    'nach {time} ms nicht fertig: die Antwort wurde noch gelesen',
  'not kept: a private address on a shared service':
    'nicht aufbewahrt: private Adresse auf einem gemeinsamen Dienst',
  // This machine
  'too many open files': 'zu viele offene Dateien',
  'too many open files on this machine': 'zu viele offene Dateien auf diesem Rechner',
  'no buffer space left': 'kein Pufferspeicher mehr frei',
  'out of memory': 'kein Arbeitsspeicher mehr frei',
  'a resource of this machine is exhausted': 'ein Betriebsmittel dieses Rechners ist erschöpft',
  'no local address or port is free': 'keine lokale Adresse und kein lokaler Port ist frei',
  'the network of this machine is down': 'das Netz dieses Rechners ist ausgefallen',
  'this machine does not support that IP version':
    'dieser Rechner unterstützt diese IP-Version nicht',
  'this machine does not permit it': 'dieser Rechner erlaubt es nicht',
  'this machine has no route to the target': 'dieser Rechner hat keine Route zum Ziel',
  'this machine cannot connect ({code})': 'dieser Rechner kann keine Verbindung aufbauen ({code})',
  'no name server is reachable': 'kein Nameserver ist erreichbar',
  'too many name look-ups are in progress': 'zu viele Namen werden gerade aufgelöst',
  'the clock of this machine is behind': 'die Uhr dieses Rechners geht nach',
  'the certificate has expired by the clock of this machine, which no valid certificate has confirmed':
    'nach der Uhr dieses Rechners ist das Zertifikat abgelaufen, aber kein gültiges Zertifikat hat diese Uhr bestätigt',
  'no name server of this machine currently answers correctly':
    'kein Nameserver dieses Rechners antwortet zurzeit richtig',
  'the network of this machine currently does not work over IPv4':
    'das Netz dieses Rechners funktioniert zurzeit nicht über IPv4',
  'the network of this machine currently does not work over IPv6':
    'das Netz dieses Rechners funktioniert zurzeit nicht über IPv6',
  'the network of this machine currently does not work':
    'das Netz dieses Rechners funktioniert zurzeit nicht',
  'the name servers of this machine have not answered for any name so far':
    'die Nameserver dieses Rechners haben bisher für keinen Namen geantwortet',
  'this machine cannot start ping at the moment': 'dieser Rechner kann ping zurzeit nicht starten',
  'ping could not be run': 'ping konnte nicht ausgeführt werden',
  'too many pings are in progress': 'zu viele Pings laufen gerade',
  // Connections
  'the connection was lost: no packets came back':
    'die Verbindung ging verloren: es kamen keine Pakete zurück',
  'connection refused by {place}': 'Verbindung abgelehnt von {place}',
  'connection reset by {place}': 'Verbindung zurückgesetzt von {place}',
  'no answer to the connection attempt from {place}':
    'keine Antwort auf den Verbindungsversuch von {place}',
  'no way to reach {place}': 'kein Weg zu {place}',
  'cannot connect to {place} ({code})': 'keine Verbindung zu {place} ({code})',
  'no answer to the ping from {place}': 'keine Antwort auf den Ping von {place}',
  'no answer from {place}': 'keine Antwort von {place}',
  'there is no address to ping': 'es gibt keine Adresse zum Anpingen',
  'the connection was closed as soon as it was open':
    'die Verbindung wurde geschlossen, sobald sie offen war',
  'the connection was reset without a word': 'die Verbindung wurde ohne Antwort zurückgesetzt',
  'the connection was closed without a word': 'die Verbindung wurde ohne Antwort geschlossen',
  'the connection was closed in the middle of the conversation':
    'die Verbindung wurde mitten im Austausch geschlossen',
  'the connection broke while sending': 'die Verbindung brach beim Senden ab',
  '{host} leads to [kind], which is not allowed':
    '{host} führt zu einem Ziel, das nicht erlaubt ist ([kind])',
  'the URL leads to [kind], which is not allowed':
    'die URL führt zu einem Ziel, das nicht erlaubt ist ([kind])',
  'the URL leads to [kind], which is not allowed: the operator decides with {settings}':
    'die URL führt zu einem Ziel, das nicht erlaubt ist ([kind]); der Betreiber entscheidet mit {settings}',
  'a redirect leads to [kind], which is not allowed':
    'eine Weiterleitung führt zu einem Ziel, das nicht erlaubt ist ([kind])',
  'the connection leads to [kind], which is not allowed':
    'die Verbindung führt zu einem Ziel, das nicht erlaubt ist ([kind])',
  '{host} is [kind], which is not allowed': '{host} ist nicht erlaubt ([kind])',
  'not an IP address': 'keine IP-Adresse',
  'a cloud metadata address': 'Metadaten-Adresse einer Cloud',
  'the address of this service itself': 'Adresse dieses Dienstes selbst',
  'an unspecified address': 'unbestimmte Adresse',
  'a broadcast address': 'Broadcast-Adresse',
  'a multicast address': 'Multicast-Adresse',
  'a link-local address': 'Link-Local-Adresse',
  'a loopback address': 'Loopback-Adresse',
  'a carrier-grade NAT address': 'Adresse eines Carrier-Grade-NAT',
  'a private address': 'private Adresse',
  'a reserved address': 'reservierte Adresse',
  'port {port}': 'Port {port}',
  'the URL {problem}': 'die URL ist nicht brauchbar: {problem}',
  // Names
  'there is no such name as {name}': 'den Namen {name} gibt es nicht',
  'no address is known for {name}': 'für {name} ist keine Adresse bekannt',
  'the name servers did not answer in time for {name}':
    'die Nameserver haben für {name} nicht rechtzeitig geantwortet',
  'the name servers failed to answer (SERVFAIL) for {name}':
    'die Nameserver konnten für {name} nicht antworten (SERVFAIL)',
  'the name servers refused to answer for {name}':
    'die Nameserver verweigerten die Antwort für {name}',
  'not a valid host name: {name}': 'kein gültiger Hostname: {name}',
  'name look-up failed ({code}) for {name}': 'die Namensauflösung ist gescheitert ({code}): {name}',
  '{name} has no {type} record': '{name} hat keinen {type}-Eintrag',
  'the name server {server} did not answer in time for {name}':
    'der Nameserver {server} hat für {name} nicht rechtzeitig geantwortet',
  'the name server {server} failed to answer (SERVFAIL) for {name}':
    'der Nameserver {server} konnte für {name} nicht antworten (SERVFAIL)',
  'the name server {server} refused to answer for {name}':
    'der Nameserver {server} verweigerte die Antwort für {name}',
  'the name server {server} did not accept the query ({code})':
    'der Nameserver {server} nahm die Abfrage nicht an ({code})',
  'the name servers did not accept the query ({code})':
    'die Nameserver nahmen die Abfrage nicht an ({code})',
  'the name server {server} sent an invalid response':
    'der Nameserver {server} hat eine ungültige Antwort gesendet',
  'the name servers sent an invalid response':
    'die Nameserver haben eine ungültige Antwort gesendet',
  'nothing answers at the name server {server}': 'unter dem Nameserver {server} antwortet nichts',
  'the look-up of {name} failed ({code})': 'die Abfrage von {name} ist gescheitert ({code})',
  // Certificates
  'the certificate has expired': 'das Zertifikat ist abgelaufen',
  'the certificate is not valid yet': 'das Zertifikat ist noch nicht gültig',
  'the certificate was revoked': 'das Zertifikat wurde widerrufen',
  'the certificate is self-signed': 'das Zertifikat ist selbst signiert',
  'the certificate chain ends in one that is not trusted':
    'die Zertifikatskette endet in einem Zertifikat, dem nicht vertraut wird',
  'an intermediate certificate is missing or not trusted':
    'ein Zwischenzertifikat fehlt, oder ihm wird nicht vertraut',
  'the issuer of the certificate is not trusted':
    'dem Aussteller des Zertifikats wird nicht vertraut',
  'the certificate is for another host name': 'das Zertifikat gilt für einen anderen Hostnamen',
  'the certificate is not accepted ({code})': 'das Zertifikat wird nicht akzeptiert ({code})',
  'a certificate of the chain has expired': 'ein Zertifikat der Kette ist abgelaufen',
  'a certificate of the chain is not valid yet': 'ein Zertifikat der Kette ist noch nicht gültig',
  'the server showed no certificate': 'der Server zeigte kein Zertifikat',
  'the server supports nothing newer than {version}':
    'der Server unterstützt nichts Neueres als {version}',
  'the key of the certificate is too short ({size}): at least {least} are needed':
    'der Schlüssel des Zertifikats ist zu kurz ({size}): mindestens {least} sind nötig',
  'the key of an intermediate certificate is too short ({size}): at least {least} are needed':
    'der Schlüssel eines Zwischenzertifikats ist zu kurz ({size}): mindestens {least} sind nötig',
  'the certificate is signed with {name}, which can be forged':
    'das Zertifikat ist mit {name} signiert, das sich fälschen lässt',
  'an intermediate certificate is signed with {name}, which can be forged':
    'ein Zwischenzertifikat ist mit {name} signiert, das sich fälschen lässt',
  'it was valid until {time}': 'es galt bis {time}',
  'it is valid from {time}': 'es gilt ab {time}',
  'it names no host': 'es nennt keinen Host',
  'it is for {names} and {count} more': 'es gilt für {names} und {count} weitere',
  'it is for {names} and {last}': 'es gilt für {names} und {last}',
  'it is for {names}': 'es gilt für {names}',
  'the connection was closed during the TLS handshake':
    'die Verbindung wurde während des TLS-Handshakes geschlossen',
  'the server does not speak TLS on this port': 'der Server spricht an diesem Port kein TLS',
  'the TLS handshake failed ({reason})': 'der TLS-Handshake ist gescheitert ({reason})',
  // Responses
  'the connection was reset before the response':
    'die Verbindung wurde vor der Antwort zurückgesetzt',
  'the connection was reset during the response':
    'die Verbindung wurde während der Antwort zurückgesetzt',
  'the connection was closed without a response': 'die Verbindung wurde ohne Antwort geschlossen',
  'the connection was closed after {bytes} bytes of an unfinished body':
    'die Verbindung wurde nach {bytes} Byte eines unfertigen Inhalts geschlossen',
  'the response headers are larger than {size}':
    'die Kopfzeilen der Antwort sind größer als {size}',
  'the server sends nothing but interim responses (1xx)':
    'der Server sendet nur vorläufige Antworten (1xx)',
  'the response is endless, or almost all of it is framing':
    'die Antwort ist endlos oder besteht fast nur aus Protokolldaten',
  'the response is not valid HTTP': 'die Antwort ist kein gültiges HTTP',
  'the response is not valid HTTP/2': 'die Antwort ist kein gültiges HTTP/2',
  'the server answered something other than a response':
    'der Server hat etwas anderes als eine Antwort gesendet',
  'the request could not be sent: {reason}': 'die Anfrage konnte nicht gesendet werden: {reason}',
  'the server aborted the HTTP/2 exchange before the response':
    'der Server hat den HTTP/2-Austausch vor der Antwort abgebrochen',
  'the server aborted the HTTP/2 exchange before the response ({reason})':
    'der Server hat den HTTP/2-Austausch vor der Antwort abgebrochen ({reason})',
  'the server aborted the HTTP/2 exchange during the response':
    'der Server hat den HTTP/2-Austausch während der Antwort abgebrochen',
  'the server aborted the HTTP/2 exchange during the response ({reason})':
    'der Server hat den HTTP/2-Austausch während der Antwort abgebrochen ({reason})',
  'the response body is larger than {size}': 'der Inhalt der Antwort ist größer als {size}',
  'the document is larger than {size}': 'das Dokument ist größer als {size}',
  'the response body is in an unknown encoding':
    'der Inhalt der Antwort hat eine unbekannte Kodierung',
  'the response body is in more than one encoding':
    'der Inhalt der Antwort hat mehr als eine Kodierung',
  'the response body is not valid {coding}': 'der Inhalt der Antwort ist kein gültiges {coding}',
  'the redirects lead in a circle': 'die Weiterleitungen führen im Kreis',
  'more than {count} redirects in a row': 'mehr als {count} Weiterleitungen nacheinander',
  'a redirect leads to something that is not a URL':
    'eine Weiterleitung führt zu etwas, das keine URL ist',
  'a redirect leads to a URL that checks may not open':
    'eine Weiterleitung führt zu einer URL, die Prüfungen nicht öffnen dürfen',
  'a redirect leads from https to http': 'eine Weiterleitung führt von https zu http',
  // Expectations
  'expected [expectation], found <found>': 'erwartet: [expectation]; gefunden: <found>',
  'expected [expectation]': 'erwartet: [expectation]',
  'expected a message, but the server closed the WebSocket with code {code}':
    'erwartet: eine Nachricht; der Server schloss den WebSocket mit dem Code {code}',
  'expected a message, but the server closed the WebSocket without a code':
    'erwartet: eine Nachricht; der Server schloss den WebSocket ohne Code',
  'expected status 101, found {status}: redirects of a WebSocket are not followed':
    'erwartet: Status 101; gefunden: {status}. Weiterleitungen eines WebSockets wird nicht gefolgt',
  'status {status}': 'Status {status}',
  'status {status} or {other}': 'Status {status} oder {other}',
  'a JSON <text>: paths that begin with $ need JSON':
    'JSON: Pfade, die mit $ beginnen, brauchen JSON',
  'a JSON <text>': 'JSON',
  'an XML <text>': 'XML',
  'an HTML <text>': 'HTML',
  'a JSON "status" of ok, up, healthy, pass, passing or green':
    'ein JSON-Feld „status“ mit ok, up, healthy, pass, passing oder green',
  '<subject> to contain {value}': '<subject> enthält {value}',
  '<subject> not to contain {value}': '<subject> enthält nicht {value}',
  '<subject> to equal {value}': '<subject> ist gleich {value}',
  '<subject> not to equal {value}': '<subject> ist nicht gleich {value}',
  '<subject> to match {value}': '<subject> passt auf {value}',
  '<subject> to be found': '<subject> ist vorhanden',
  '<subject> to be {value}': '<subject> ist {value}',
  '<subject> to exist': '<subject> ist vorhanden',
  '<subject> not to exist': '<subject> ist nicht vorhanden',
  '<subject> to be greater than {value}': '<subject> ist größer als {value}',
  '<subject> to be at least {value}': '<subject> ist mindestens {value}',
  '<subject> to be less than {value}': '<subject> ist kleiner als {value}',
  '<subject> to be at most {value}': '<subject> ist höchstens {value}',
  '<subject> to be of type {value}': '<subject> ist vom Typ {value}',
  '<subject> to have the length {value}': '<subject> hat die Länge {value}',
  body: 'Inhalt',
  answer: 'Antwort',
  registration: 'Registrierung',
  reply: 'Antwort',
  'certificate report': 'Zertifikatsbericht',
  message: 'Nachricht',
  status: 'Status',
  address: 'Adresse',
  'header {name}': 'Kopfzeile {name}',
  'response time': 'Antwortzeit',
  'days until the certificate expires': 'Tage bis zum Ablauf des Zertifikats',
  nothing: 'nichts',
  // Mail servers
  'the mail server does not offer STARTTLS': 'der Mailserver bietet kein STARTTLS an',
  'the server does not speak SMTP': 'der Server spricht kein SMTP',
  'the mail server sent a reply of more than {count} lines':
    'der Mailserver sendete eine Antwort mit mehr als {count} Zeilen',
  'the mail server greets with {found} instead of {wanted}':
    'der Mailserver grüßt mit {found} statt {wanted}',
  'the mail server answers EHLO with {found} instead of {wanted}':
    'der Mailserver beantwortet EHLO mit {found} statt {wanted}',
  'the mail server answers HELO with {found} instead of {wanted}':
    'der Mailserver beantwortet HELO mit {found} statt {wanted}',
  'the mail server answers STARTTLS with {found} instead of {wanted}':
    'der Mailserver beantwortet STARTTLS mit {found} statt {wanted}',
  'the mail server sent plain text after it agreed to TLS':
    'der Mailserver sendete Klartext, nachdem er TLS zugestimmt hatte',
  'the server sent a line of more than {bytes} bytes':
    'der Server sendete eine Zeile mit mehr als {bytes} Byte',
  'the server sent more than {bytes} bytes': 'der Server sendete mehr als {bytes} Byte',
  // WebSockets
  'the connection was closed before a message came':
    'die Verbindung wurde geschlossen, bevor eine Nachricht kam',
  'the server sent more than a check reads ({most})':
    'der Server sendete mehr, als eine Prüfung liest ({most})',
  'the server broke the WebSocket protocol: {problem}':
    'der Server verletzte das WebSocket-Protokoll: {problem}',
  'the server switched to a protocol other than WebSocket':
    'der Server wechselte zu einem anderen Protokoll als WebSocket',
  'the server sent no Sec-WebSocket-Accept, or a wrong one':
    'der Server sendete kein oder ein falsches Sec-WebSocket-Accept',
  'the server uses an extension that was not offered':
    'der Server verwendet eine Erweiterung, die nicht angeboten wurde',
  'the server chose a subprotocol that was not offered':
    'der Server wählte ein Unterprotokoll, das nicht angeboten wurde',
  // Domains
  '{name} is not registered': '{name} ist nicht registriert',
  '{name} is about to be deleted by its registry (pending delete)':
    '{name} wird demnächst von der Registry gelöscht (pending delete)',
  '{name} was deleted and can only be redeemed (redemption period)':
    '{name} wurde gelöscht und kann nur noch zurückgeholt werden (redemption period)',
  '{name} was taken out of DNS by its registry (server hold)':
    '{name} wurde von der Registry aus dem DNS genommen (server hold)',
  '{name} was taken out of DNS by its registrar (client hold)':
    '{name} wurde vom Registrar aus dem DNS genommen (client hold)',
  'the registration of {name} expired on {day}':
    'die Registrierung von {name} ist am {day} abgelaufen',
  'the registry did not answer within {time} ms; the query continues in the background':
    'die Registry hat nach {time} ms nicht geantwortet; die Abfrage läuft im Hintergrund weiter',
  'the registry could not be queried: [reason]':
    'die Registry konnte nicht abgefragt werden: [reason]',
  'the top-level domain offers no RDAP': 'die Top-Level-Domain bietet kein RDAP an',
  'it limits the rate of queries (429)': 'sie begrenzt die Zahl der Abfragen (429)',
  'it answered with status {status}': 'sie antwortete mit Status {status}',
  'its answer is not about this domain': 'ihre Antwort handelt nicht von dieser Domain',
  // Push reports
  'the sender reported an error': 'der Absender meldete einen Fehler',
  'the job ended with exit code {code}': 'der Job endete mit dem Exit-Code {code}',
  'no report within {time}': 'keine Meldung innerhalb von {time}',
  'no report within {time} and {grace} of grace':
    'keine Meldung innerhalb von {time} und {grace} Nachfrist',
  'no report of the run at {time}': 'keine Meldung zum Lauf am {time}',
  'no report of the run at {time} within {grace}':
    'keine Meldung zum Lauf am {time} innerhalb von {grace}',
  'no report has ever come': 'es kam noch nie eine Meldung',
  'the last one came at {time}': 'die letzte kam am {time}',
  'the run that began at {time} has not ended within {limit}':
    'der Lauf, der am {time} begann, ist nicht innerhalb von {limit} zu Ende gegangen',
  'the run {name} that began at {time} has not ended within {limit}':
    'der Lauf {name}, der am {time} begann, ist nicht innerhalb von {limit} zu Ende gegangen',
  'no further error was reported for {time}': 'seit {time} wurde kein weiterer Fehler gemeldet',
  'no report has come yet': 'es kam noch keine Meldung',
  'the last report came at {time}': 'die letzte Meldung kam am {time}',
  'the next one is due by {time}': 'die nächste ist bis {time} fällig',
  'the end of a run is due by {time}': 'das Ende eines Laufs ist bis {time} fällig',
  'nothing is due until the first report comes': 'bis zur ersten Meldung ist nichts fällig',
  'nothing is due until the next report comes': 'bis zur nächsten Meldung ist nichts fällig',
  // Timelines
  '{name} is down: [cause]': '{name} ist ausgefallen: [cause]',
  '{name} is down: {cause}': '{name} ist ausgefallen: {cause}',
  '{name} is slow: [cause]': '{name} ist langsam: [cause]',
  '{name} is slow: {cause}': '{name} ist langsam: {cause}',
  '{name} is still down: [cause]': '{name} ist immer noch ausgefallen: [cause]',
  '{name} is still down: {cause}': '{name} ist immer noch ausgefallen: {cause}',
  '{name} is still slow: [cause]': '{name} ist immer noch langsam: [cause]',
  '{name} is still slow: {cause}': '{name} ist immer noch langsam: {cause}',
  '{name} is down again: [cause]': '{name} ist wieder ausgefallen: [cause]',
  '{name} is down again: {cause}': '{name} ist wieder ausgefallen: {cause}',
  '{name} is slow again: [cause]': '{name} ist wieder langsam: [cause]',
  '{name} is slow again: {cause}': '{name} ist wieder langsam: {cause}',
  'Unstable: the monitor keeps going down and up.':
    'Instabil: der Monitor fällt immer wieder aus und erholt sich.',
  'No longer unstable: it stays down.': 'Nicht mehr instabil: der Monitor bleibt ausgefallen.',
  'No longer unstable: it stays slow.': 'Nicht mehr instabil: der Monitor bleibt langsam.',
  'Alerts are held: "{name}" is down.': 'Alarme werden zurückgehalten: „{name}“ ist ausgefallen.',
  'Alerts are held: "{name}" may be down as well.':
    'Alarme werden zurückgehalten: „{name}“ ist vielleicht auch ausgefallen.',
  'Alerts are no longer held: nothing that it depends on is down.':
    'Alarme werden nicht mehr zurückgehalten: nichts, wovon der Monitor abhängt, ist ausgefallen.',
  'Alerts are no longer held: what it depends on has been down for 24 hours.':
    'Alarme werden nicht mehr zurückgehalten: wovon der Monitor abhängt, ist seit 24 Stunden ausgefallen.',
  'Alerts are no longer held: they were for 24 hours.':
    'Alarme werden nach 24 Stunden nicht mehr zurückgehalten.',
  'Acknowledged.': 'Übernommen.',
  'Recovered.': 'Erholt.',
  'Closed by hand.': 'Von Hand geschlossen.',
  'Closed: the monitor was paused.': 'Geschlossen: der Monitor wurde pausiert.',
  'Closed: the monitor was deleted.': 'Geschlossen: der Monitor wurde gelöscht.',
  'Closed by hand; the service is still failing.':
    'Von Hand geschlossen; der Dienst ist weiterhin ausgefallen.',
  'Closed by hand; the service is still slow.':
    'Von Hand geschlossen; der Dienst ist weiterhin langsam.',
  'Declared by hand.': 'Von Hand gemeldet.',
  'Became an outage.': 'Wurde ein Ausfall.',
  // Explanations
  Opened: 'Eröffnet',
  Reopened: 'Wieder geöffnet',
  'Became an outage': 'Wurde ein Ausfall',
  'Called unstable': 'Als instabil eingestuft',
  'Stable again': 'Wieder stabil',
  'Held back': 'Zurückgehalten',
  Released: 'Freigegeben',
  'Closed by hand while the service was still failing':
    'Von Hand geschlossen, während der Dienst noch ausgefallen war',
  Resolved: 'Behoben',
  Recovered: 'Erholt',
  'Recovered after it had been closed by hand':
    'Erholt, nachdem der Vorfall von Hand geschlossen worden war',
  Changed: 'Geändert',
  'a person did it; nothing was measured': 'eine Person hat es getan; gemessen wurde nichts',
  'a person did it': 'eine Person hat es getan',
  'the grounds were not recorded': 'die Gründe wurden nicht festgehalten',
  '{count} of the newest {among} results had failed, the first at {time}; failureThreshold was {needed}':
    '{count} der neuesten {among} Ergebnisse waren fehlgeschlagen, das erste am {time}; nötig waren {needed} (failureThreshold)',
  '{count} results in a row had taken more than {time} ms, the first at {first}; degradedThreshold was {needed}':
    '{count} Ergebnisse nacheinander hatten mehr als {time} ms gedauert, das erste am {first}; nötig waren {needed} (degradedThreshold)',
  'the sender reported an error, which needs no confirmation':
    'der Absender meldete einen Fehler, was keine Bestätigung braucht',
  'an expected report did not come, which needs no confirmation':
    'eine erwartete Meldung kam nicht, was keine Bestätigung braucht',
  '1 bad result had come since a person closed it':
    '1 schlechtes Ergebnis war gekommen, seit eine Person den Vorfall geschlossen hatte',
  '{count} bad results had come since a person closed it':
    '{count} schlechte Ergebnisse waren gekommen, seit eine Person den Vorfall geschlossen hatte',
  'it was still failing after maintenance had ended, at {time}':
    'der Dienst war nach dem Ende der Wartung noch ausgefallen, am {time}',
  '{count} changes between down and up had come within {minutes} minutes; from then on it is announced as unstable, once':
    'innerhalb von {minutes} Minuten waren {count} Wechsel zwischen ausgefallen und erreichbar gekommen; seitdem gilt er als instabil, was einmal gemeldet wird',
  'Sent.': 'Gesendet.',
  'Sent at {time}.': 'Gesendet am {time}.',
  'Sent at {time}, at attempt {count}.': 'Gesendet am {time}, beim Versuch {count}.',
  'Waits: [reason].': 'Wartet: [reason].',
  'Waits until {time}: [reason].': 'Wartet bis {time}: [reason].',
  'it is its turn': 'die Nachricht ist an der Reihe',
  'the channel has quiet hours': 'der Kanal hat Ruhezeiten',
  'the channel waits for its delayMinutes': 'der Kanal wartet seine Verzögerung ab (delayMinutes)',
  'the last attempt failed': 'der letzte Versuch ist gescheitert',
  'earlier messages to the channel come first': 'frühere Nachrichten an den Kanal gehen vor',
  'Not sent by itself: a later message about the same incident said it as well.':
    'Nicht einzeln gesendet: eine spätere Nachricht über denselben Vorfall sagte es mit.',
  'Folded into a digest, one message about many incidents.':
    'In eine Sammelnachricht über viele Vorfälle aufgenommen.',
  'Given up: [reason]': 'Aufgegeben: [reason]',
  'Given up: {reason}': 'Aufgegeben: {reason}',
  'no attempt succeeded.': 'kein Versuch war erfolgreich.',
  'Not sent.': 'Nicht gesendet.',
  'Not sent. [reason]': 'Nicht gesendet. [reason]',
  'The channel did not exist yet.': 'Den Kanal gab es noch nicht.',
  'The channel had not heard of the opening, so what follows on it makes no sense there.':
    'Der Kanal hatte vom Beginn nichts erfahren, daher ergibt das Weitere dort keinen Sinn.',
  'The monitor was paused or deleted, which is no recovery.':
    'Der Monitor wurde pausiert oder gelöscht, was keine Erholung ist.',
  'The incident ended or was acknowledged before the delayMinutes of the channel had passed.':
    'Der Vorfall endete oder wurde übernommen, bevor die Verzögerung des Kanals (delayMinutes) vorbei war.',
  'By its present settings it would have been: they have changed since, it already knew, or the message is older than what is kept.':
    'Nach den jetzigen Einstellungen wäre gesendet worden: sie wurden seitdem geändert, der Kanal wusste es schon, oder die Nachricht ist nicht mehr gespeichert.',
  // Alert paths
  Never: 'Nie',
  'Not now': 'Jetzt nicht',
  'At once.': 'Sofort.',
  'At {time}, if the incident is then still open and not acknowledged (delayMinutes).':
    'Am {time}, wenn der Vorfall dann noch offen und nicht übernommen ist (delayMinutes).',
  'At {time}, when its quiet hours end.': 'Am {time}, wenn seine Ruhezeiten enden.',
  'Not now: "{name}" is down, and the monitor depends on it: its alerts are held.':
    'Jetzt nicht: „{name}“ ist ausgefallen, und der Monitor hängt davon ab: seine Alarme werden zurückgehalten.',
  'the organization is switched off': 'die Organisation ist abgeschaltet',
  'the monitor names other channels in notifyChannelIds':
    'der Monitor nennt andere Kanäle (notifyChannelIds)',
  'the monitor does not name it, and it is no default channel':
    'der Monitor nennt ihn nicht, und er ist kein Standardkanal',
  'the monitor has none of the tags that it takes':
    'der Monitor hat keines der Schlagwörter, die der Kanal annimmt',
  'it is switched off (isActive is false)': 'er ist abgeschaltet (isActive ist false)',
  'this service has switched it off, because its receiver is gone; see disabledReason':
    'dieser Dienst hat ihn abgeschaltet, weil es den Empfänger nicht mehr gibt (disabledReason)',
  'its events do not contain this one': 'seine Ereignisse enthalten dieses nicht',
  'this is below its minSeverity': 'das liegt unter seiner Mindestschwere (minSeverity)',
  'the monitor goes down and up again and again, which was announced once':
    'der Monitor fällt immer wieder aus und erholt sich, was einmal gemeldet wurde',
  'the incident is acknowledged': 'der Vorfall ist übernommen',
  'a monitor that this one depends on is down, so its alerts are held':
    'ein Monitor, von dem dieser abhängt, ist ausgefallen, daher werden seine Alarme zurückgehalten',
  'reminders are left out in its quiet hours': 'in seinen Ruhezeiten entfallen Erinnerungen',
  'the monitor is in a maintenance window': 'der Monitor ist in Wartung',
  // Channels
  'The receiver is gone for good (410).': 'Den Empfänger gibt es nicht mehr (410).',
  'The receiver redirects ({status}), which is not followed.':
    'Der Empfänger leitet weiter ({status}); dem wird nicht gefolgt.',
  'The receiver answered {status}.': 'Der Empfänger antwortete mit {status}.',
  'The receiver at {platform} is gone ({detail}).':
    'Den Empfänger bei {platform} gibt es nicht mehr ({detail}).',
  '{platform} refused the message ({detail}).': '{platform} lehnte die Nachricht ab ({detail}).',
  '{platform} answered {status} but did not say that it accepted the message.':
    '{platform} antwortete mit {status}, sagte aber nicht, dass die Nachricht angenommen wurde.',
  '{platform} does not accept the key or the address ({status}).':
    '{platform} akzeptiert den Schlüssel oder die Adresse nicht ({status}).',
  'The answer {status} is not the {accepted} of {platform}; is the URL right?':
    'Die Antwort {status} ist nicht die {accepted} von {platform}; stimmt die URL?',
  'There is no channel type {type}.': 'Den Kanaltyp {type} gibt es nicht.',
  'There is nothing to send.': 'Es gibt nichts zu senden.',
  'No mail server is set up: mail.smtpUrl.': 'Es ist kein Mailserver eingerichtet: mail.smtpUrl.',
  'The URL {problem}.': 'Die URL ist nicht brauchbar: {problem}.',
  'The request could not be made: {reason}.': 'Die Anfrage war nicht möglich: {reason}.',
  'No answer within {seconds} seconds.': 'Keine Antwort innerhalb von {seconds} Sekunden.',
  'The connection broke off before the answer.': 'Die Verbindung brach vor der Antwort ab.',
  'The connection broke off before the answer ({code}).':
    'Die Verbindung brach vor der Antwort ab ({code}).',
  'The daemon is shutting down.': 'Der Dienst wird gerade beendet.',
  'The mail server took longer than {seconds} seconds.':
    'Der Mailserver brauchte länger als {seconds} Sekunden.',
  'The mail server offers no usable TLS.': 'Der Mailserver bietet kein brauchbares TLS an.',
  'The mail server refused the credentials.': 'Der Mailserver lehnte die Zugangsdaten ab.',
  'The mail server refused the credentials ({status}).':
    'Der Mailserver lehnte die Zugangsdaten ab ({status}).',
  'The mail server refused the recipient ({status}).':
    'Der Mailserver lehnte den Empfänger ab ({status}).',
  'The mail server refused the letter ({status}).':
    'Der Mailserver lehnte die E-Mail ab ({status}).',
  'The mail server refused the sender or the session ({status}).':
    'Der Mailserver lehnte den Absender oder die Sitzung ab ({status}).',
  'The mail server deferred the letter ({status}).':
    'Der Mailserver stellte die E-Mail zurück ({status}).',
  'The certificate of the mail server is not trusted ({code}).':
    'Dem Zertifikat des Mailservers wird nicht vertraut ({code}).',
  'The mail server could not be reached.': 'Der Mailserver war nicht erreichbar.',
  'The mail server could not be reached ({code}).': 'Der Mailserver war nicht erreichbar ({code}).',
  'Letters cannot be sent to this address.':
    'An diese Adresse können keine E-Mails gesendet werden.',
  'The channel was deleted.': 'Der Kanal wurde gelöscht.',
  'The message was taken back.': 'Die Nachricht wurde zurückgezogen.',
  "The channel's secrets cannot be opened: the master key is missing.":
    'Die Geheimnisse des Kanals lassen sich nicht öffnen: der Hauptschlüssel fehlt.',
  // Simulations
  'The simulation begins without an earlier state: an outage that was going on at its beginning starts there.':
    'Die Simulation beginnt ohne früheren Zustand: ein Ausfall, der an ihrem Anfang schon lief, beginnt dort.',
  'Channels, tags, quiet hours and delays are those of today. Nobody acknowledges or closes an incident, no digest is formed with other monitors, and no parent holds alerts back.':
    'Kanäle, Schlagwörter, Ruhezeiten und Verzögerungen sind die heutigen. Kein Vorfall wird übernommen oder geschlossen, mit anderen Monitoren entsteht keine Sammelnachricht, und kein übergeordneter Monitor hält Alarme zurück.',
  'Pauses leave no results, so they look like time without checks.':
    'Pausen hinterlassen keine Ergebnisse und sehen daher aus wie Zeit ohne Prüfungen.',
  'The results are those of checks that were made. Retries ran only while the monitor of that time confirmed a failure or a recovery, so other thresholds may confirm later here than they would have in reality.':
    'Die Ergebnisse sind die der Prüfungen, die gelaufen sind. Wiederholungen liefen nur, während damals ein Fehler oder eine Erholung bestätigt wurde; andere Schwellen bestätigen hier daher vielleicht später als in Wirklichkeit.',
  'A result that failed stays failed; one that was good is judged anew by its response time. Results that say nothing about the target are left out.':
    'Ein fehlgeschlagenes Ergebnis bleibt fehlgeschlagen; ein gutes wird nach seiner Antwortzeit neu beurteilt. Ergebnisse, die nichts über das Ziel sagen, entfallen.',
  'With another grace, missed reports follow from the times of the reports that came; the period or schedule is that of today.':
    'Mit einer anderen Nachfrist ergeben sich versäumte Meldungen aus den Zeiten der Meldungen, die kamen; der Abstand oder Zeitplan ist der heutige.',
  // Instructions
  'Where to get what the config needs: {address}.': 'Woher die Angaben kommen: {address}.',
  'Any program that takes a POST with JSON can be the receiver. Messages are signed after Standard Webhooks: any library for it verifies them.':
    'Empfänger kann jedes Programm sein, das ein POST mit JSON annimmt. Nachrichten sind nach Standard Webhooks signiert: jede Bibliothek dafür prüft sie.',
  'Needs a mail server: `mail.smtpUrl` and `mail.from` in the settings of the service.':
    'Braucht einen Mailserver: `mail.smtpUrl` und `mail.from` in den Einstellungen des Dienstes.',
  'Create a Slack app, switch on Incoming Webhooks, choose Add New Webhook to Workspace and a channel, and copy the URL of the webhook.':
    'Legen Sie eine Slack-App an, schalten Sie Incoming Webhooks ein, wählen Sie Add New Webhook to Workspace und einen Kanal, und kopieren Sie die URL des Webhooks.',
  'Open a service, then its tab Integrations, add an integration of the type Events API v2, and copy its integration key.':
    'Öffnen Sie einen Dienst und dort Integrations, fügen Sie eine Integration der Art Events API v2 hinzu, und kopieren Sie ihren Schlüssel.',
  'Choose a topic that nobody can guess and subscribe to it in the ntfy app. Only a protected topic needs a token, or a user name and a password.':
    'Wählen Sie ein Topic, das sich nicht erraten lässt, und abonnieren Sie es in der ntfy-App. Nur ein geschütztes Topic braucht ein Token oder Benutzername und Passwort.',
  'In the settings of the server open Integrations, then Webhooks, create a webhook for the channel, and copy its URL.':
    'Öffnen Sie in den Einstellungen des Servers Integrationen, dann Webhooks, legen Sie einen Webhook für den Kanal an, und kopieren Sie seine URL.',
  'Write `/newbot` to @BotFather: it gives `botToken`. Add the bot to the chat and write `/start@` and its name there. Open `https://api.telegram.org/bot<botToken>/getUpdates`: `chatId` is the `id` in `chat`, with its minus sign.':
    'Schreiben Sie `/newbot` an @BotFather: von dort kommt `botToken`. Fügen Sie den Bot dem Chat hinzu, und schreiben Sie dort `/start@` und seinen Namen. Öffnen Sie `https://api.telegram.org/bot<botToken>/getUpdates`: `chatId` ist die `id` in `chat`, mit dem Minuszeichen.',
}

const months: Readonly<Record<string, string>> = {
  January: 'Januar',
  February: 'Februar',
  March: 'März',
  May: 'Mai',
  June: 'Juni',
  July: 'Juli',
  October: 'Oktober',
  December: 'Dezember',
}

/** Times as sentences have them, such as `29 November 2026, 11:36 UTC`. */
export function germanTimes(value: string): string {
  return value.replace(
    /\b(\d{1,2}) ([A-Z][a-z]+) (\d{4}, \d\d:\d\d(:\d\d)? UTC)/g,
    (_, day: string, month: string, rest: string) => `${day}. ${months[month] ?? month} ${rest}`,
  )
}
