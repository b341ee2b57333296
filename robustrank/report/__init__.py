"""Renderings of an analysis: text, tables for export, and what goes into a notebook."""
