// The default gateways, from the routing tables as Linux tells them (proc(5), net/route.c).

const isUpGateway = 0x3

/** Of `/proc/net/route`: addresses are hexadecimal in the byte order of the machine. */
export function gatewaysIn(table: string): readonly string[] {
  return table.split('\n').flatMap((line) => {
    const [, destination, gateway = '', flags = ''] = line.split('\t')
    const isDefault = destination === '00000000' && hasGateway(flags)
    if (!isDefault || !/^[0-9A-F]{8}$/i.test(gateway)) return []
    return [(gateway.match(/../g) ?? []).toReversed().map(byteOf).join('.')]
  })
}

/**
 * Of `/proc/net/ipv6_route`. Link-local ones are left out: they have to be asked through their own
 * interface, and say nothing of what lies behind them.
 */
export function gatewaysIn6(table: string): readonly string[] {
  return table.split('\n').flatMap((line) => {
    const [destination = '', bits, , , gateway = '', , , , flags = ''] = line.trim().split(/\s+/)
    const isDefault = /^0{32}$/.test(destination) && bits === '00' && hasGateway(flags)
    if (!isDefault || !/^[0-9a-f]{32}$/i.test(gateway) || /^fe[89ab]/i.test(gateway)) return []
    return [(gateway.match(/..../g) ?? []).join(':')]
  })
}

function hasGateway(flags: string): boolean {
  return (Number.parseInt(flags, 16) & isUpGateway) === isUpGateway
}

function byteOf(hex: string): number {
  return Number.parseInt(hex, 16)
}
