// The URLs in configs: of a server, or of an incoming webhook, which is all that a platform needs and is
// the secret.
import { text } from '../../base/schema/schema.ts'
import { limits } from '../../domain/limits/limits.ts'

/** The field of a config with a URL. */
export function urlText(description: string, example: string) {
  return text({ charsMin: 1, charsMax: limits.urlCharsMax, description, example })
}

/** The field of a config with the URL of an incoming webhook. */
export function hookUrl(platform: string, example: string) {
  const description = `the URL of an incoming webhook of ${platform}; it is the channel's secret`
  return urlText(description, example)
}
