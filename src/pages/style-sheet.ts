// The style sheet of the pages of the service: sign-in, links of letters and alerts, forms of
// status pages. Served from memory under the hash of its bytes.
import { createHash } from 'node:crypto'
import { dark, light } from '../base/colors.ts'
import { inBothModes } from './color-modes.ts'
import { typefaces } from './fonts.ts'

const css = `${typefaces()}${inBothModes(light, dark)}
:root{color-scheme:light dark}
*{box-sizing:border-box}
html{font:16px/1.5 var(--text);
-webkit-text-size-adjust:100%;background:var(--paper);color:var(--ink)}
body{margin:0 auto;max-width:50rem;padding:3rem 1.25rem 4rem;overflow-wrap:anywhere}
h1,h2,h3,p,ul,ol,dl{margin:0;padding:0}
h1{font-size:1.5rem;line-height:1.25;font-weight:650;letter-spacing:-.012em}
h2{font-size:1.0625rem;font-weight:650;margin:2.75rem 0 .875rem}
h3{font-size:1rem;font-weight:600}
ul,ol{list-style:none}
a{color:inherit}
time,.figure{font-variant-numeric:tabular-nums}
.about{margin-top:.625rem;max-width:42rem;color:var(--soft);white-space:pre-line}
.card{background:var(--card);border:1px solid var(--line);border-radius:.75rem;
box-shadow:0 1px 2px rgb(16 24 40/.04)}
.is-up{--tone:var(--up);--tone-ink:var(--up-ink);--wash:var(--up-wash)}
.is-degraded{--tone:var(--slow);--tone-ink:var(--slow-ink);--wash:var(--slow-wash)}
.is-down{--tone:var(--down);--tone-ink:var(--down-ink);--wash:var(--down-wash)}
.is-maintenance{--tone:var(--calm);--tone-ink:var(--calm-ink);--wash:var(--calm-wash)}
.is-pending,.is-waiting,.is-paused,.is-unknown{--tone:var(--none);--tone-ink:var(--none-ink);
--wash:var(--none-wash)}
.state{color:var(--tone-ink);font-size:.9375rem;font-weight:550;white-space:nowrap}
.state::before{content:"";display:inline-block;width:.5625rem;height:.5625rem;margin-inline-end:.4375rem;
border-radius:50%;background:var(--tone)}
.is-down .state::before{border-radius:0}
.is-degraded .state::before{clip-path:polygon(50% 0,100% 100%,0 100%);border-radius:0}
.is-pending .state::before,.is-unknown .state::before{background:none;border:2px solid var(--tone)}
.is-unknown .state::before{border-radius:0;transform:rotate(45deg) scale(.85)}
.is-paused .state::before{border-radius:0;background:linear-gradient(90deg,var(--tone) 35%,transparent 35% 65%,\
var(--tone) 65%)}
details{margin-top:.5rem;font-size:.875rem;color:var(--soft)}
summary{cursor:pointer;width:fit-content;border-radius:.25rem}
summary:hover{color:var(--ink)}
:focus-visible{outline:2px solid var(--accent);outline-offset:3px}
details li{display:flex;flex-wrap:wrap;gap:0 1rem;justify-content:space-between;padding:.25rem 0;
max-width:26rem}
.facts{margin-top:.1875rem;color:var(--soft);font-size:.875rem}
.updates{margin-top:.875rem;border-inline-start:2px solid var(--line)}
.updates li{position:relative;padding:0 0 .875rem;padding-inline-start:1.125rem}
.updates li:last-child{padding-bottom:0}
.updates li::before{content:"";position:absolute;inset-inline-start:-.3125rem;top:.5rem;width:.5rem;height:.5rem;
border-radius:50%;background:var(--card);border:2px solid var(--none)}
.updates p{white-space:pre-line}
.updates time{color:var(--soft);font-size:.8125rem}
.quiet{padding:1.125rem 1.25rem;color:var(--soft)}
.foot{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;justify-content:space-between;margin-top:3rem;
padding-top:1.125rem;border-top:1px solid var(--line);color:var(--soft);font-size:.8125rem}
.links{display:flex;flex-wrap:wrap;gap:.625rem 1.25rem;margin-top:1.5rem}
.links a{font-weight:550}
.named li{padding:.75rem 1.25rem}
.named li+li{border-top:1px solid var(--line)}
.bar{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.75rem 1.5rem;
margin-bottom:1.5rem}
.who{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;color:var(--soft);
font-size:.9375rem}
.who button,.confirm button{padding:.4375rem .875rem;border:1px solid var(--soft);border-radius:.5rem;
background:none;color:var(--ink);font:inherit;cursor:pointer}
.onward{padding:.4375rem .875rem;border:1px solid transparent;border-radius:.5rem;
background:var(--accent);color:var(--on-accent);font-weight:600;text-decoration:none}
.confirm{padding:1rem 1.25rem;margin-bottom:1.25rem}
.confirm .note{margin:0 0 .75rem}
.states{width:100%;border-collapse:collapse;font-size:.9375rem}
.states th,.states td{padding:.625rem 1.25rem;text-align:start;vertical-align:baseline}
.states tr{border-top:1px solid var(--line)}
.states thead tr{border:0}
.states thead th{color:var(--soft);font-size:.8125rem;font-weight:500}
.states th[scope=row]{font-weight:550}
.states .org th{padding-top:1rem;font-size:1.0625rem;font-weight:650}
.states small{display:block;color:var(--soft);font-size:.8125rem;font-weight:400}
.states td{color:var(--soft);font-size:.875rem}
.top{display:flex;align-items:center;justify-content:space-between;gap:1rem;margin-bottom:2rem}
.brand{display:flex;align-items:center;gap:.5rem;font-size:1.1875rem;font-weight:650;letter-spacing:-.03em;
text-decoration:none}
.brand svg{width:1.875rem;height:1.875rem;fill:none;stroke:currentColor;stroke-width:3.75;stroke-linecap:round}
.brand circle{fill:var(--up);stroke:none}
.plain{font-weight:550;text-decoration:none}
.hero{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,23rem);gap:3rem;align-items:center;
margin-block:3rem}
.front h1{font-size:2.5rem;line-height:1.1;letter-spacing:-.035em}
.front .about{font-size:1.0625rem}
body:has(.front){max-width:64rem}
.ways{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem 1.25rem;margin-top:1.75rem}
.ways .links{margin:0}
.picture{margin:0;padding:1.5rem}
.picture svg{display:block;width:100%;overflow:visible}
.wave{fill:none;stroke:var(--ink);stroke-width:2.5;stroke-linecap:round;stroke-linejoin:round}
.point{fill:var(--up)}
.halo{fill:var(--up);opacity:.25;transform-origin:312px 58px}
.picture .u{fill:var(--up)}.picture .s{fill:var(--slow)}.picture .d{fill:var(--down)}
.picture ul{margin-top:1rem}
.picture li{display:flex;justify-content:space-between;gap:1rem;padding:.4375rem 0;border-top:1px solid var(--line);
font-size:.9375rem}
.picture b{color:var(--soft);font-weight:450;text-align:end}
@media(prefers-reduced-motion:no-preference){.halo{animation:beat 2.5s ease-out infinite}}
@keyframes beat{from{transform:scale(.7);opacity:.5}to{transform:scale(2.4);opacity:0}}
.passkey{display:grid;gap:.875rem;margin-top:1.75rem}
.passkey[hidden],.passkey [hidden]{display:none}
.task .passkey button{padding-block:.625rem;border-color:var(--line);background:none;color:inherit}
.task .passkey button:hover{background:var(--paper)}
.passkey p{margin:0}
.passkey+form{margin-top:1.125rem}
.passkey+.providers{margin-top:.625rem}
.providers{display:grid;gap:.625rem;margin-top:1.75rem}
.providers a{padding:.625rem 1.25rem;border:1px solid var(--line);border-radius:.5rem;font-weight:600;text-align:center;
text-decoration:none}
.providers a:has(svg){display:flex;align-items:center;justify-content:center;gap:.625rem}
.providers svg{flex:none;width:1.125rem;height:1.125rem;fill:currentColor}
.providers a:hover{background:var(--paper)}
.or{display:flex;align-items:center;gap:.75rem;color:var(--soft);font-size:.875rem}
.or::before,.or::after{content:"";flex:1;border-top:1px solid var(--line)}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.lost{min-height:60vh;display:grid;place-content:center;text-align:center;gap:.625rem}
.task{max-width:26rem;margin:6vh auto 0;padding:2rem}
.top:has(+.task){max-width:26rem;margin:4vh auto 0}
.top+.task{margin-top:1.25rem}
.task details{padding-top:.875rem;border-top:1px solid var(--line)}
.task form+details{margin-top:1.5rem}
.task details summary{margin:0}
.task p{margin-top:.875rem}
.task h2{margin:2rem 0 0}
.task h2+form{margin-top:1rem}
.task summary{margin-top:1rem;font-size:.9375rem}
.note{padding:.75rem 1rem;border-inline-start:4px solid var(--tone);border-radius:.25rem;
background:var(--wash);color:var(--tone-ink)}
.task form{display:grid;gap:1.125rem;margin-top:1.75rem}
.task label{display:grid;gap:.375rem;font-size:.9375rem;font-weight:550}
.task small{color:var(--soft);font-size:.8125rem;font-weight:400}
.task input{width:100%;padding:.625rem .75rem;border:1px solid var(--none);border-radius:.5rem;
background:var(--card);color:inherit;font:inherit}
.task button{padding:.75rem 1.25rem;border:1px solid transparent;border-radius:.5rem;
background:var(--accent);color:var(--on-accent);font:inherit;font-weight:600;cursor:pointer}
.task button:hover{opacity:.9}
.task fieldset{display:grid;gap:.5rem;margin:0;padding:.75rem 1rem;border:1px solid var(--line);
border-radius:.5rem}
.task legend{padding:0 .375rem;font-size:.9375rem;font-weight:550}
.task fieldset label,.task .choice{display:flex;gap:.625rem;align-items:baseline;font-weight:400}
.task input[type=checkbox]{flex:none;width:1.0625rem;height:1.0625rem;margin:0;accent-color:var(--accent);
transform:translateY(.1875rem)}
.trap{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.alert{max-width:40rem}
.alert .state{margin:0 0 .375rem}
.alert .note{margin-top:1.125rem}
.alert form{justify-items:start;gap:.625rem;margin-top:1.125rem}
.alert dl{display:grid;gap:.5rem;margin-top:1.75rem}
.alert dl div{display:grid;grid-template-columns:9rem 1fr;gap:0 1rem}
.alert dt{color:var(--soft)}
.alert dd{margin:0;white-space:pre-line}
.alert .updates p{margin:0}
.report .states{border-collapse:separate;border-spacing:0;overflow-wrap:normal}
.report .states tr+tr>*,.report .states tbody>tr>*{border-top:1px solid var(--line)}
.report .state{white-space:normal}.report td.figure{white-space:nowrap}
.report dl{margin-top:1.75rem}
.report dl.card{display:flex;flex-wrap:wrap;gap:1rem 2.5rem;padding:1.125rem 1.25rem}
.report dt{color:var(--soft);font-size:.8125rem}
.report dd{margin:0}
.report dd b{font-size:1.5rem;font-weight:650;line-height:1.2}
.report .note{margin-top:1.125rem}
.report .seal{display:grid;gap:.375rem;margin-top:.875rem}
.report .seal div{display:grid;grid-template-columns:6rem 1fr;gap:0 1rem}
.report .seal dd{font:.75rem/1.5 var(--code)}
.told{margin-top:.875rem}
.told li{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 1rem;padding:.25rem 0}
.alert .told .state{margin:0}
.alert .told p{flex-basis:100%;margin:0;color:var(--tone-ink)}
.told time{color:var(--soft);font-size:.875rem}
.concerned{margin-top:.875rem}
.concerned li{display:flex;flex-wrap:wrap;align-items:baseline;gap:0 1rem;padding:.25rem 0}
time{unicode-bidi:isolate}
@media(max-width:48rem){.hero{grid-template-columns:minmax(0,1fr);margin-block:1.5rem}.front h1{font-size:2rem}}
@media(max-width:30rem){.alert dl div{grid-template-columns:1fr}
.states th,.states td{padding:.625rem .75rem}
.report .states th,.report .states td{padding-inline:.5rem;overflow-wrap:anywhere}
.wide thead{position:absolute;overflow:hidden;clip-path:inset(50%)}
.wide tr{display:grid;grid-template-columns:1fr auto;align-items:baseline}
.wide [colspan],.wide [data-label]{grid-column:1/-1}
.wide [data-label]{padding-top:0;font-size:.8125rem}
.wide [data-label]::before{content:attr(data-label) " "}
body{padding:1.75rem .875rem 2.5rem}
.quiet{padding:1rem}
.task{margin-top:0;padding:1.25rem}}
@media(forced-colors:active){.state::before{forced-color-adjust:none}}
@media print{@page{margin:16mm}body{padding:0;max-width:none}
.card{box-shadow:none;break-inside:avoid}
.states.card{break-inside:auto}.states th,.states td{padding:.3125rem .75rem}.states tr,.seal div{break-inside:avoid}h2{break-after:avoid}}
`

/** A style sheet without comments and line breaks, which are there for us. */
export const tightCss = (text: string) =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\n\s*/g, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([{}:;,>]) /g, '$1')
    .replace(/;\}/g, '}')

const bytes = Buffer.from(tightCss(css))
const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)

/** The path changes with the bytes, so copies may be cached forever. */
export const styleSheet = {
  path: `/assets/status-page.${hash}.css`,
  contentType: 'text/css; charset=utf-8',
  cacheControl: 'public, max-age=31536000, immutable',
  bytes,
} as const
