// Signatures of requests to buckets, against the examples that AWS publishes.
// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
import { hash } from 'node:crypto'
import t from 'tap'
import { signedHeaders } from '../../src/bucket/signature.ts'
import { awsEncodedPath, awsQuery, emptyBodyHash } from '../../src/net/http-client/aws-signature.ts'

const credentials = {
  accessKey: 'AKIAIOSFODNN7EXAMPLE',
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  region: 'us-east-1',
}
const atMs = Date.UTC(2013, 4, 24)
const host = 'https://examplebucket.s3.amazonaws.com'

const examples = [
  {
    title: 'a range of an object',
    method: 'GET',
    path: '/test.txt',
    query: {},
    headers: { range: 'bytes=0-9' },
    body: '',
    names: 'host;range;x-amz-content-sha256;x-amz-date',
    signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  },
  {
    title: 'an object that is stored',
    method: 'PUT',
    path: '/test$file.text',
    query: {},
    headers: {
      date: 'Fri, 24 May 2013 00:00:00 GMT',
      'x-amz-storage-class': 'REDUCED_REDUNDANCY',
    },
    body: 'Welcome to Amazon S3.',
    names: 'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
    signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
  },
  {
    title: 'a parameter without a value',
    method: 'GET',
    path: '/',
    query: { lifecycle: '' },
    headers: {},
    body: '',
    names: 'host;x-amz-content-sha256;x-amz-date',
    signature: 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  },
  {
    title: 'a list',
    method: 'GET',
    path: '/',
    query: { prefix: 'J', 'max-keys': '2' },
    headers: {},
    body: '',
    names: 'host;x-amz-content-sha256;x-amz-date',
    signature: '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  },
] as const

for (const { title, method, path, query, headers, body, names, signature } of examples) {
  t.test(`the example of AWS for ${title} is signed as AWS signs it`, async (t) => {
    const url = new URL(host)
    url.pathname = awsEncodedPath(path)
    url.search = awsQuery(Object.entries(query))
    const bodyHash = body === '' ? emptyBodyHash : hash('sha256', body, 'hex')
    const signed = signedHeaders({ method, url, headers, bodyHash }, credentials, atMs)
    t.equal(
      signed.authorization,
      'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,' +
        `SignedHeaders=${names},Signature=${signature}`,
    )
    t.equal(signed['x-amz-date'], '20130524T000000Z')
    t.equal(signed['x-amz-content-sha256'], bodyHash)
  })
}

t.test('names and parameters are escaped as the specification says', async (t) => {
  t.equal(awsEncodedPath("a b/ü(1)!*'+~.txt"), 'a%20b/%C3%BC%281%29%21%2A%27%2B~.txt')
  t.equal(awsQuery(Object.entries({ b: 'x/y=', 'a-1': '', a: '+' })), 'a=%2B&a-1=&b=x%2Fy%3D')
})
