"""Where runs are made: child processes of this machine, or those of a dask cluster."""
