"""Lists and calls every tool with the official Python client of MCP, in both eras of the protocol."""

import asyncio
import os

import httpx2
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

NOBODY = "00000000-0000-4000-8000-000000000000"


def statement(sql):
    return {"database": "application", "sql": sql, "reason": "a client in Python"}


async def call_every_tool(client, mode):
    offered = {tool.name for tool in (await client.list_tools()).tools}
    called = set()

    async def call(tool, arguments={}, fails=None):
        called.add(tool)
        result = await client.call_tool(tool, arguments)
        if fails is not None:
            assert result.is_error and result.content[0].text.startswith(fails + ": "), result
            return None
        assert not result.is_error, result
        return result.structured_content

    notes = ["create table if not exists notes (id int)"]
    migration = {"database": "application", "name": f"notes-{mode}", "statements": notes, "reason": "a test"}
    assert (await call("platform_sql_migrate", migration))["status"] == "executed"
    assert (await call("platform_sql_execute", statement("select 40 + 2 as n")))["rows"] == [{"n": 42}]
    await call("platform_sql_execute", statement("create role intruder"), fails="policy_violation")
    paused = await call("platform_sql_execute", statement("truncate notes"))
    assert paused["status"] == "pending_approval", paused
    approval = await call("platform_sql_approval", {"approval_id": paused["approval_id"]})
    assert approval["status"] == "pending" and approval["link"] == paused["link"], approval
    log = (await call("platform_sql_logs", {"limit": 3}))["data"]
    assert [row["status"] for row in log] == ["paused", "refused", "executed"], log

    run = await call("ask_agent", {"agent_id": "data-engineer", "request": "Count the notes"})
    while run["status"] in ("queued", "running"):
        await asyncio.sleep(1)
        run = await call("platform_agent_run", {"run_id": run["run_id"]})
    assert run["status"] == "completed", run
    await call("platform_agent_run", {"run_id": run["run_id"]})

    await call("platform_search", {"query": "notes"})
    assert (await call("platform_transcripts_search", {"q": "nothing-has-this"}))["data"] == []
    await call("platform_transcript", {"id": NOBODY}, fails="not_found")
    assert (await call("platform_console_search", {"q": "nothing-has-this"}))["data"] == []
    for by in ["total", "model", "provider", "key", "day"]:
        await call("platform_usage", {"by": by})
    assert (await call("platform_tickets"))["data"] == []
    assert (await call("platform_initiatives"))["data"] == []
    assert (await call("platform_deployments"))["data"] == []
    assert (await call("platform_devlogs"))["data"] == []

    assert called == offered, called ^ offered
    schemas = (await client.list_resources()).resources
    assert [str(each.uri) for each in schemas if "application" in str(each.uri)], schemas
    return len(called)


async def main():
    headers = {"authorization": "Bearer " + os.environ["SIGNALBOX_KEY"]}
    for mode in ["legacy", "auto"]:
        async with httpx2.AsyncClient(headers=headers, timeout=60) as http:
            transport = streamable_http_client(os.environ["SIGNALBOX_URL"] + "/mcp", http_client=http)
            async with Client(transport, mode=mode) as client:
                count = await call_every_tool(client, mode)
                print(f"Python client of MCP, protocol {client.protocol_version}: {count} tools listed and called")


asyncio.run(main())
