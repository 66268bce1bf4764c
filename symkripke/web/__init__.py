"""The tables in the browser: `symkripke serve`, the extra `web`.

Pages are made on the server, and every action is a plain form. Everything on the pages comes from
the `Game` record and from logs in a folder. The terminal uses the same logs.

| room | what it is |
|---|---|
| server | puts the parts together: `serve`, `application` |
| settings | where the data are, and what is allowed |
| safety | headers, sizes, rates, hosts: around every request |
| access | who may do what: keys, tokens of seats, forms that come from our own pages |
| tables | the folder of logs |
| work | calls of engines in other processes, each with a budget |
| pages | how templates are filled in |
| routes | addresses, a module for each kind of page |
| views | the content of pages, as plain data; runs in the other processes |
"""
