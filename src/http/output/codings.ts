// Which content codings the sender of a request takes.
import type { TakenCodings } from '../../services/pages/serving/document-bytes.ts'

/** The codings of ours that an Accept-Encoding takes; `gzip;q=0` refuses it (RFC 9110 §12.5.3). */
export const codingsOf = createCodingReader()

/** Values of Accept-Encoding that are remembered. */
const encodingsKnown = 200

/** Browsers send few values, so what each means is remembered. */
function createCodingReader(): (acceptEncoding: string) => TakenCodings {
  const known = new Map<string, TakenCodings>()
  return (acceptEncoding) => {
    const before = known.get(acceptEncoding)
    if (before) return before
    const codings = readCodings(acceptEncoding)
    if (known.size >= encodingsKnown) known.clear()
    known.set(acceptEncoding, codings)
    return codings
  }
}

function readCodings(acceptEncoding: string): TakenCodings {
  const takes = (coding: string) =>
    acceptEncoding.split(',').some((part) => {
      const [name = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase())
      const isRefused = parameters.some((one) => /^q\s*=\s*0(?:\.0*)?$/.test(one))
      return name === coding && !isRefused
    })
  return { gzip: takes('gzip') || takes('x-gzip'), br: takes('br') }
}
