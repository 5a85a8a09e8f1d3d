// Wires the bucket for copies of backups: its settings, the way out, and the seal.
import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '../../base/clock.ts'
import { randomUnit } from '../../base/random.ts'
import { type Bucket, createBucket } from '../../bucket/bucket.ts'
import type { Live } from '../../config/live.ts'
import type { LiveSettings } from '../../config/settings.ts'
import { createResolver } from '../../net/dns/resolver.ts'
import { createGuard } from '../../net/egress-policy.ts'
import { trustedAuthorities } from '../../net/http-client/authorities.ts'
import { createBytesClient } from '../../net/http-client/guarded-client.ts'
import type { Keyring } from '../../seal/keyring.ts'
import type { BackupRemote } from './remote.ts'
import { sealedRemote } from './sealed-remote.ts'

export interface BackupBucketWiring {
  readonly settings: Pick<LiveSettings, 'backup' | 'dns'>
  readonly clock: Clock
  readonly keyring: Keyring
}

/** Names the present bucket; undefined without one. Throws StartFailure for a wrong caFile. */
export type PresentBucket = () => BackupRemote | undefined

/** The bucket of the settings, sealed; undefined without one. Throws StartFailure for a wrong caFile. */
export function backupBucket(deps: BackupBucketWiring): BackupRemote | undefined {
  const bucket = bucketOf(deps)
  const { bucketIsSealed: seals } = deps.settings.backup
  return bucket && sealedRemote(bucket, { keyring: deps.keyring, seals })
}

/** The bucket of the present settings. Throws StartFailure if the first one has a wrong caFile. */
export function liveBackupBucket({
  live,
  ...deps
}: Omit<BackupBucketWiring, 'settings'> & { readonly live: Live }): PresentBucket {
  const present = ({ backup, dns }: LiveSettings) => ({ backup, dns })
  let settings = present(live.now())
  const make = () => ({ bucket: backupBucket({ ...deps, settings }) })
  let made: ReturnType<typeof make> | undefined = make()
  live.listen((now) => {
    if (isDeepStrictEqual(present(now), settings)) return
    settings = present(now)
    made = undefined
  })
  return () => {
    made ??= make()
    return made.bucket
  }
}

/** The same as it is, for a trial. */
export function bucketOf(deps: Omit<BackupBucketWiring, 'keyring'>): Bucket | undefined {
  const { settings, clock } = deps
  const { bucketUrl, bucketName, bucketAccessKey, bucketSecretKey, bucketCaFile, ...more } =
    settings.backup
  // The settings name all or none.
  if (!bucketUrl || !bucketName || !bucketAccessKey || !bucketSecretKey) return undefined
  const request = createBytesClient({
    clock,
    // The operator's own choice may be in a private network.
    guard: createGuard({ targets: 'any' }),
    resolver: createResolver({ clock, servers: settings.dns.servers }),
    ...trustedAuthorities(bucketCaFile, 'backup.bucketCaFile'),
  })
  return createBucket(
    {
      endpoint: bucketUrl,
      name: bucketName,
      region: more.bucketRegion,
      accessKey: bucketAccessKey,
      secretKey: bucketSecretKey,
      prefix: more.bucketPrefix,
      addressing: more.bucketAddressing,
      serverEncryption: more.bucketServerEncryption,
    },
    { request, clock, random: randomUnit },
  )
}
