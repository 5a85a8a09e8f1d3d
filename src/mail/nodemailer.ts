// The library for SMTP and MIME: loaded with the first letter, so that a daemon that sends none does
// without.
import type Library from 'nodemailer'
import { requireLibrary } from '../base/assets.ts'

/** `require` knows no types. */
export function loadNodemailer(): typeof Library {
  return requireLibrary('nodemailer') as typeof Library
}
