// Where a check connects in place of the host of its URL, as curl has it with --connect-to.

/** Host and port; the port of the URL holds where none is named. */
export interface ConnectPlace {
  /** A name in lower case and ASCII, or an address without brackets. */
  readonly host: string
  readonly port: number | null
}

/** What is wrong with everything else. */
export const connectToRule =
  'must be a host with or without a port, such as 192.0.2.7, [2001:db8::7]:8443 or b.example.com:443'

/** Reads `host`, `host:port`, `[v6]` or `[v6]:port`. Undefined if it is none of them. */
export function readConnectTo(text: string): ConnectPlace | undefined {
  const [, hostText = '', portText] =
    /^(\[[0-9a-f:.]+\]|[^\s:/?#@\\[\]%]+)(?::(\d{1,5}))?$/i.exec(text) ?? []
  const port = portText === undefined ? null : Number(portText)
  if (port !== null && (port < 1 || port > 65_535)) return undefined
  // With the scheme http the parser normalizes the host as browsers do: IDNA, `0x7f.1` and so on.
  const url = hostText === '' ? null : URL.parse(`http://${hostText}/`)
  const host = url?.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '') ?? ''
  return host === '' ? undefined : { host, port }
}
