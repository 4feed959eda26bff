"""Requests, goals, costs and results: joins the engines, the judge and the storage."""
