// A chosen file as a picture of a status page: read, made smaller where it is too large, and in base64.
import type { Data } from '../../api/client.ts'

export type PictureKind = keyof Data<'status-pages.get'>['pictures']

/** What a picture needs at most where it is shown, on screens with two pixels for one. */
const boxes: Readonly<
  Record<PictureKind, { readonly widthPx: number; readonly heightPx: number }>
> = {
  logo: { widthPx: 800, heightPx: 320 },
  cover: { widthPx: 2_400, heightPx: 1_200 },
  favicon: { widthPx: 256, heightPx: 256 },
}

/** As large as the service takes it. */
const bytesMax = 512 * 1024
/** A larger file is not read at all. */
const fileBytesMax = 32 * 1024 * 1024
const taken = ['image/png', 'image/jpeg', 'image/webp']
const qualities = [0.92, 0.8, 0.6]

/** Undefined if the browser cannot read the file as a picture. */
export async function pictureData(file: File, kind: PictureKind): Promise<string | undefined> {
  if (file.size > fileBytesMax) return undefined
  const url = await dataUrl(file)
  const image = await imageOf(url)
  if (!image) return undefined
  const { widthPx, heightPx } = boxes[kind]
  // Drawings without a size of their own are as large as their place.
  const width = image.naturalWidth || widthPx
  const height = image.naturalHeight || heightPx
  const scale = Math.min(1, widthPx / width, heightPx / height)
  const isSquare = kind !== 'favicon' || width === height
  const isFine = scale === 1 && isSquare && file.size <= bytesMax && taken.includes(file.type)
  return afterComma(isFine ? url : await drawn(image, width * scale, height * scale, kind))
}

function dataUrl(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(file)
  })
}

function imageOf(url: string): Promise<HTMLImageElement | undefined> {
  return new Promise((resolve) => {
    const image = new Image()
    image.onload = () => resolve(image)
    image.onerror = () => resolve(undefined)
    image.src = url
  })
}

/** Icons are PNG, which every browser shows in its tabs. Others are WebP where the browser can write it. */
async function drawn(
  image: HTMLImageElement,
  widthPx: number,
  heightPx: number,
  kind: PictureKind,
): Promise<string> {
  const width = Math.max(1, Math.round(widthPx))
  const height = Math.max(1, Math.round(heightPx))
  // An icon is in the middle of a square, else tabs would stretch it.
  const side = kind === 'favicon' ? Math.max(width, height) : 0
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(side, width)
  canvas.height = Math.max(side, height)
  const left = (canvas.width - width) / 2
  canvas.getContext('2d')?.drawImage(image, left, (canvas.height - height) / 2, width, height)
  const type = kind === 'favicon' ? 'image/png' : 'image/webp'
  let smallest = ''
  for (const quality of qualities) {
    smallest = canvas.toDataURL(type, quality)
    if ((afterComma(smallest).length * 3) / 4 <= bytesMax) break
  }
  return smallest
}

const afterComma = (url: string) => url.slice(url.indexOf(',') + 1)
