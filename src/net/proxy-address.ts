// A proxy as the operator names it: http://user:password@host:port or socks5://…

export interface ProxyAddress {
  readonly protocol: 'http' | 'socks5'
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** '': it asks for none. */
  readonly username: string
  readonly password: string
  /** Names are resolved by the proxy, and so not judged here. */
  readonly resolves: boolean
}

/** RFC 1929 has one byte for the length of each. */
const loginBytesMax = 255

/** Undefined if it is no such address; a port is required, as proxies have no usual one. */
export function readProxy(text: string): ProxyAddress | undefined {
  const [, protocol] = /^(http|socks5):\/\/[^\s\\]+$/.exec(text) ?? []
  // With the scheme http, the parser normalizes the host; 80 would be left out as its usual port.
  const url = URL.parse(text.replace(/^\w+:/, 'http:'))
  const [, portText = ''] = /^[^/?#]*:(\d+)\/?(\?.*)?$/.exec(text.replace(/^\w+:\/\//, '')) ?? []
  if (url === null || url.pathname !== '/' || url.hash !== '' || protocol === undefined) {
    return undefined
  }
  if (url.search !== '' && url.search !== '?resolves=true') return undefined
  const port = Number(portText)
  const [username, password] = [decoded(url.username), decoded(url.password)]
  const isLogin = username !== undefined && password !== undefined
  if (!isLogin || port < 1 || port > 65_535 || (username === '' && password !== '')) {
    return undefined
  }
  return {
    protocol: protocol === 'http' ? 'http' : 'socks5',
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    username,
    password,
    resolves: url.search !== '',
  }
}

/** Undefined for a % without two digits, for control characters, and for what no proxy takes. */
function decoded(text: string): string | undefined {
  try {
    const found = decodeURIComponent(text)
    const isRight = !/\p{Cc}/u.test(found) && Buffer.byteLength(found) <= loginBytesMax
    return isRight ? found : undefined
  } catch {
    return undefined
  }
}
