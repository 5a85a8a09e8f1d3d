// Signature Version 4 against the test suite that AWS published for it (aws-sig-v4-test-suite).
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
import { hash } from 'node:crypto'
import t from 'tap'
import { awsPath, awsProof, awsQuery } from '../../../src/net/http-client/aws-signature.ts'

const credentials = {
  accessKey: 'AKIDEXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
  service: 'service',
}
const atMs = Date.UTC(2015, 7, 30, 12, 36)
const host = 'example.amazonaws.com'
const unreserved = '-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const sessionToken =
  'AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA=='

interface SignedExample {
  readonly method?: string
  readonly path?: string
  readonly query?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/** By the names that AWS gave them. */
const examples: Readonly<Record<string, readonly [SignedExample, signature: string]>> = {
  'get-header-key-duplicate': [
    { headers: { 'my-header1': 'value2,value2,value1' } },
    'c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea',
  ],
  'get-header-value-order': [
    { headers: { 'my-header1': 'value4,value1,value3,value2' } },
    '08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01',
  ],
  'get-header-value-trim': [
    { headers: { 'my-header1': 'value1', 'my-header2': '"a   b   c"' } },
    'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  ],
  'get-unreserved': [
    { path: `/${unreserved}` },
    '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
  ],
  'get-utf8': [{ path: '/ሴ' }, '8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85'],
  'get-space': [
    { path: '/example space/' },
    '652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741',
  ],
  'get-vanilla': [{}, '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  'get-vanilla-empty-query-key': [
    { query: 'Param1=value1' },
    'a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb',
  ],
  'get-vanilla-query-order-key': [
    { query: 'Param1=value2&Param1=Value1' },
    'eedbc4e291e521cf13422ffca22be7d2eb8146eecf653089df300a15b2382bd1',
  ],
  'get-vanilla-query-order-key-case': [
    { query: 'Param2=value2&Param1=value1' },
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
  'get-vanilla-query-order-value': [
    { query: 'Param1=value2&Param1=value1' },
    '5772eed61e12b33fae39ee5e7012498b51d56abc0abb7c60486157bd471c4694',
  ],
  'get-vanilla-query-unreserved': [
    { query: `${unreserved}=${unreserved}` },
    '9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197',
  ],
  'get-vanilla-utf8-query': [
    { query: 'ሴ=bar' },
    '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04',
  ],
  'post-header-key-case': [
    { method: 'POST' },
    '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  ],
  'post-header-key-sort': [
    { method: 'POST', headers: { 'my-header1': 'value1' } },
    'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c',
  ],
  'post-header-value-case': [
    { method: 'POST', headers: { 'my-header1': 'VALUE1' } },
    'cdbc9802e29d2942e5e10b5bccfdd67c5f22c7c4e8ae67b53629efa58b974b7d',
  ],
  'post-vanilla-empty-query-value': [
    { method: 'POST', query: 'Param1=value1' },
    '28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11',
  ],
  'post-x-www-form-urlencoded': [
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'Param1=value1',
    },
    'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  ],
  'post-x-www-form-urlencoded-parameters': [
    {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded; charset=utf8',
      },
      body: 'Param1=value1',
    },
    '1a72ec8f64bd914b0e42e42607c7fbce7fb2c7465f63e3092b3b0d39fa77a6fe',
  ],
  'get-relative': [
    { path: '/example/..' },
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  'get-relative-relative': [
    { path: '/example1/example2/../..' },
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  'get-slash': [{ path: '//' }, '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  'get-slash-dot-slash': [
    { path: '/./' },
    '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  ],
  'get-slash-pointless-dot': [
    { path: '/./example' },
    'ef75d96142cf21edca26f06005da7988e4f8dc83a165a80865db7089db637ec5',
  ],
  'get-slashes': [
    { path: '//example//' },
    '9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84',
  ],
  'post-sts-header-before': [
    { method: 'POST', headers: { 'x-amz-security-token': sessionToken } },
    '85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead',
  ],
}

for (const [name, [example, signature]] of Object.entries(examples)) {
  t.test(`${name} is signed as AWS signs it`, async (t) => {
    const { method = 'GET', path = '/', query = '', headers = {}, body = '' } = example
    const bodyHash = hash('sha256', body, 'hex')
    const request = {
      ...{ method, host, headers, bodyHash, path: awsPath(path, 'service') },
      query: awsQuery(new URLSearchParams(query)),
    }
    const proof = awsProof(request, credentials, atMs)
    t.equal(proof['x-amz-date'], '20150830T123600Z')
    t.equal(proof.signature, signature)
    const scope = '20150830/us-east-1/service/aws4_request'
    const names = [...Object.keys(headers), 'host', 'x-amz-date'].toSorted().join(';')
    const start = `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/${scope},SignedHeaders=${names},`
    t.equal(proof.authorization, `${start}Signature=${signature}`)
  })
}

t.test(
  'S3 takes a path as it is, encoded once; every other service in order, encoded twice',
  (t) => {
    for (const [sent, ofS3, ofOthers] of [
      ['/a//b/../c', '/a//b/../c', '/a/c'],
      ['/caf%C3%A9', '/caf%C3%A9', '/caf%25C3%25A9'],
      ['/a(1)+b%20c', '/a%281%29%2Bb%20c', '/a%281%29%2Bb%2520c'],
      ['/50%', '/50%25', '/50%25'],
      ['/x/', '/x/', '/x/'],
    ] as const) {
      t.equal(awsPath(sent, 's3'), ofS3, sent)
      t.equal(awsPath(sent, 'execute-api'), ofOthers, sent)
    }
    t.end()
  },
)
