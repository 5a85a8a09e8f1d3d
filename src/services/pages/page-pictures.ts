// Uploaded pictures of status pages, judged by their bytes, also where they come with an import.
import { hash } from 'node:crypto'
import { invalidField } from '../../base/fault.ts'
import type { PagePicture, PagePictureKind } from '../../domain/pages/page.ts'
import { type PictureFile, pictureFileOf } from '../../domain/pages/picture-file.ts'

/** Pictures by kind, in base64; null: none. */
export type PicturesInBase64 = Readonly<Partial<Record<PagePictureKind, string | null>>>

/** Enough to tell the pictures of a page apart. */
const pictureHashChars = 16

/** What the page keeps of the file; the bytes lie beside it. */
export function pictureOf({ bytes, ...about }: PictureFile): PagePicture {
  return { ...about, hash: hash('sha256', bytes, 'hex').slice(0, pictureHashChars) }
}

/** Throws validation_failed. */
export function mustBePicture(bytes: Buffer, pointer: string): PictureFile {
  const file = pictureFileOf(bytes)
  if (!('problem' in file)) return file
  throw invalidField(pointer, 'picture', file.problem)
}
