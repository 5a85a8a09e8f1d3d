// Signs requests to an S3-compatible service (AWS Signature Version 4).
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
import { type AwsCredentials, awsProof } from '../net/http-client/aws-signature.ts'

export type BucketCredentials = Omit<AwsCredentials, 'service'>

export interface SignableRequest {
  readonly method: string
  /** With its path and query as they are sent: made by `awsEncodedPath` and `awsQuery`. */
  readonly url: URL
  /** All of them are signed, and `host`; names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** SHA-256 of the body, in hexadecimal digits. */
  readonly bodyHash: string
}

/** The headers to send: the request's, and the three that prove who sends it. */
export function signedHeaders(
  { method, url, headers, bodyHash }: SignableRequest,
  credentials: BucketCredentials,
  nowMs: number,
): Record<string, string> {
  const sent = { ...headers, 'x-amz-content-sha256': bodyHash }
  const { host, pathname: path, search } = url
  const request = { method, host, path, query: search.slice(1), headers: sent, bodyHash }
  const { signature: _, ...proof } = awsProof(request, { ...credentials, service: 's3' }, nowMs)
  return { ...sent, ...proof }
}
