// A feed as Atom (RFC 4287), RSS 2.0 and JSON Feed 1.1.
import type { DocumentContext, PageDocument } from '../../view/public-page.ts'
import { isoTime } from '../page-identity.ts'
import { xml, xmlText } from '../xml.ts'
import { type FeedEntry, feedOf } from './feed.ts'

export function atomFeed(context: DocumentContext): PageDocument {
  const feed = feedOf(context)
  return {
    contentType: 'application/atom+xml; charset=utf-8',
    body: xmlText(xml`<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${feed.language}">
<id>${feed.id}</id>
<title>${feed.title}</title>
<subtitle>${feed.description}</subtitle>
<updated>${isoTime(feed.updatedAtMs)}</updated>
<link rel="self" type="application/atom+xml" href="${feed.url}/feed.atom"/>
<link rel="alternate" type="text/html" href="${feed.url}"/>
<author><name>${context.view.title}</name></author>
${feed.logoUrl !== null && xml`<logo>${feed.logoUrl}</logo>\n`}${feed.entries.map(atomEntry)}</feed>`),
  }
}

function atomEntry(entry: FeedEntry) {
  return xml`<entry>
<id>${entry.id}</id>
<title>${entry.title}</title>
<link rel="alternate" type="text/html" href="${entry.url}"/>
<published>${isoTime(entry.publishedAtMs)}</published>
<updated>${isoTime(entry.updatedAtMs)}</updated>
<category term="${entry.category}"/>
<summary>${entry.summary}</summary>
<content type="html">${entry.content}</content>
</entry>
`
}

export function rssFeed(context: DocumentContext): PageDocument {
  const feed = feedOf(context)
  return {
    contentType: 'application/rss+xml; charset=utf-8',
    body: xmlText(xml`<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">
<channel>
<title>${feed.title}</title>
<link>${feed.url}</link>
<atom:link rel="self" type="application/rss+xml" href="${feed.url}/feed.rss"/>
<description>${feed.description}</description>
<language>${feed.language}</language>
<lastBuildDate>${mailTime(feed.updatedAtMs)}</lastBuildDate>
<ttl>5</ttl>
${feed.entries.map(rssItem)}</channel>
</rss>`),
  }
}

function rssItem(entry: FeedEntry) {
  return xml`<item>
<title>${entry.title}</title>
<link>${entry.url}</link>
<guid isPermaLink="false">${entry.id}</guid>
<pubDate>${mailTime(entry.publishedAtMs)}</pubDate>
<category>${entry.category}</category>
<description>${entry.content || entry.summary}</description>
</item>
`
}

/** RFC 822 with a year of four digits, as RSS asks for. */
function mailTime(atMs: number): string {
  return new Date(atMs).toUTCString()
}

export function jsonFeed(context: DocumentContext): PageDocument {
  const feed = feedOf(context)
  const document = {
    version: 'https://jsonfeed.org/version/1.1',
    title: feed.title,
    home_page_url: feed.url,
    feed_url: `${feed.url}/feed.json`,
    description: feed.description,
    language: feed.language,
    ...(feed.logoUrl === null ? {} : { icon: feed.logoUrl }),
    authors: [{ name: context.view.title, url: feed.url }],
    items: feed.entries.map(jsonItem),
  }
  return {
    contentType: 'application/feed+json; charset=utf-8',
    body: `${JSON.stringify(document)}\n`,
  }
}

function jsonItem(entry: FeedEntry) {
  return {
    id: entry.id,
    url: entry.url,
    title: entry.title,
    summary: entry.summary,
    content_html: entry.content,
    date_published: isoTime(entry.publishedAtMs),
    date_modified: isoTime(entry.updatedAtMs),
    tags: [entry.category],
  }
}
