"""Tables in the browser: `symkripke serve`, with the extra `web`.

Pages are made on the server, and every action is a plain form. Everything on the pages comes from
the `Game` record and from logs in a folder. The terminal uses the same logs.

| module | content |
|---|---|
| server | puts the parts together: `serve`, `application` |
| settings | the folder of the data, and the limits |
| safety | security headers and the check of the host name, for every request |
| access | permissions: keys, tokens of seats, forms that come from our own pages |
| tables | the folder of logs |
| work | pools of worker processes for calls of engines, each with a budget |
| pages | helpers of handlers: tables and seats by their addresses, forms, templates |
| routes | addresses, a module for each kind of page |
| views | the content of pages, as plain data; runs in the workers |
"""
