// The options of curl: their short names, which have a value, and which say nothing about a request.
//
// Source: curl 8.20, src/tool_getparam.c.

/** Letters, each with the long name. */
export const longNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ a: 'append', N: 'no-buffer', E: 'cert', K: 'config', C: 'continue-at', b: 'cookie' },
    ...{ c: 'cookie-jar', d: 'data', q: 'disable', D: 'dump-header', f: 'fail', F: 'form' },
    ...{ P: 'ftp-port', G: 'get', g: 'globoff', I: 'head', H: 'header', h: 'help', 0: 'http1.0' },
    ...{ i: 'include', k: 'insecure', 4: 'ipv4', 6: 'ipv6', j: 'junk-session-cookies' },
    ...{ l: 'list-only', L: 'location', M: 'manual', m: 'max-time', n: 'netrc', ':': 'next' },
    ...{ o: 'output', Z: 'parallel', '#': 'progress-bar', x: 'proxy', U: 'proxy-user' },
    ...{ p: 'proxytunnel', Q: 'quote', r: 'range', e: 'referer', J: 'remote-header-name' },
    ...{ O: 'remote-name', R: 'remote-time', X: 'request', S: 'show-error', s: 'silent' },
    ...{ Y: 'speed-limit', y: 'speed-time', 2: 'sslv2', 3: 'sslv3', t: 'telnet-option' },
    ...{ z: 'time-cond', 1: 'tlsv1', T: 'upload-file', B: 'use-ascii', u: 'user' },
    ...{ A: 'user-agent', v: 'verbose', V: 'version', w: 'write-out' },
  }),
)

const withValue = `abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers config
  connect-timeout connect-to continue-at cookie cookie-jar create-file-mode crlfile curves data data-ascii
  data-binary data-raw data-urlencode delegation dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url
  dump-header ech egd-file engine etag-compare etag-save expect100-timeout form form-string ftp-account
  ftp-alternative-to-user ftp-method ftp-port ftp-ssl-ccc-mode happy-eyeballs-timeout-ms haproxy-clientip header
  hostpubmd5 hostpubsha256 hsts httpsig-algo httpsig-headers httpsig-key httpsig-keyid interface ip-tos ipfs-gateway
  json keepalive-cnt keepalive-time key key-type knownhosts krb krb4 libcurl limit-rate local-port login-options
  mail-auth mail-from mail-rcpt max-filesize max-redirs max-time netrc-file noproxy oauth2-bearer output output-dir
  parallel-max parallel-max-host pass pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-cacert
  proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-header proxy-key proxy-key-type proxy-pass
  proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser
  proxy-user proxy1.0 pubkey quote random-file range rate referer request request-target resolve retry retry-delay
  retry-max-time sasl-authzid service-name sigalgs socks4 socks4a socks5 socks5-gssapi-service socks5-hostname
  speed-limit speed-time ssl-sessions stderr telnet-option tftp-blksize time-cond tls-max tls13-ciphers tlsauthtype
  tlspassword tlsuser trace trace-ascii trace-config unix-socket upload-file upload-flags url url-query user
  user-agent variable vlan-priority write-out`

export const valueOptions: ReadonlySet<string> = new Set(withValue.split(/\s+/))

const ofOutput = `alt-svc basic compressed cookie-jar create-dirs create-file-mode disable dump-header etag-save fail
  fail-early fail-with-body false-start follow globoff help hsts http1.1 http2 include junk-session-cookies
  keepalive keepalive-time keepalive-cnt libcurl location location-trusted max-filesize max-redirs no-alpn
  no-buffer no-clobber no-keepalive no-progress-meter no-sessionid no-styled-output output output-dir parallel
  parallel-immediate parallel-max path-as-is progress-bar proto proto-default proto-redir rate raw
  remote-header-name remote-name remote-name-all remote-time remove-on-error retry retry-all-errors
  retry-connrefused retry-delay retry-max-time show-error show-headers silent ssl-no-revoke ssl-reqd stderr
  styled-output suppress-connect-headers tcp-fastopen tcp-nodelay trace trace-ascii trace-config trace-ids
  trace-time use-ascii verbose write-out xattr`

/** What a check does by itself, or does not do at all. */
export const idleOptions: ReadonlySet<string> = new Set(ofOutput.split(/\s+/))

const ofMonitors = `cacert cert cert-type connect-timeout connect-to digest insecure ipv4 ipv6 key key-type
  max-time ntlm pass proxy proxy-user resolve socks4 socks4a socks5 socks5-hostname`

/** What is a setting of the monitor, if it is one at all. */
export const monitorOptions: ReadonlySet<string> = new Set(ofMonitors.split(/\s+/))
