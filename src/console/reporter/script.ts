/**
 * What a page includes to report its errors: at most 20 of them, no error twice in a row, and addresses without their
 * query, which may hold secrets. A beacon of text needs no permission of the browser and outlives the page.
 */
export const reporterScript = `(()=>{
const to=document.currentScript.src.replace('.js?','?')
let count=0,last
const bare=a=>a&&a.split(/[?#]/)[0]
const send=(message,stack,file,line,column)=>{
const body=JSON.stringify({message:String(message).slice(0,2e3),
stack:String(stack||'').replace(/(\\w:\\/\\/[^\\s?#]*)[?#]\\S*?(?=(:\\d+){0,2}\\)?(\\s|$))/g,'$1').slice(0,8e3),
url:bare(location.href),file:bare(file),line,column})
if(body!==last&&count++<20)navigator.sendBeacon(to,last=body)}
addEventListener('error',e=>e.message&&send(e.message,e.error?.stack,e.filename,e.lineno,e.colno))
addEventListener('unhandledrejection',({reason:r})=>send(r?.message??r,r?.stack))
})()
`
