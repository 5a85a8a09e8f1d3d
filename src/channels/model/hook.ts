// Incoming webhooks: the URL of one is all that a platform needs, and is the secret.
import { text } from '../../base/schema/schema.ts'
import { limits } from '../../domain/limits/limits.ts'

/** The field of a config with the URL of an incoming webhook. */
export function hookUrl(platform: string, example: string) {
  return text({
    charsMin: 1,
    charsMax: limits.urlCharsMax,
    description: `the URL of an incoming webhook of ${platform}; it is the channel's secret`,
    example,
  })
}
