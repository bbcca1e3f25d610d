"""GeoPandas frames and Shapely geometries: in as GeoJSON-like mappings, out as frames of lines."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import Floats

if TYPE_CHECKING:
    from ._solution import Solution

#: Longitude and latitude in degrees, as GeoJSON has them.
DEGREES = "EPSG:4326"


def is_geo(data: Any) -> bool:
    """Is it GeoJSON-like: a mapping, an object that offers one, or a list of such objects?"""
    if isinstance(data, (list, tuple)):
        return bool(data) and all(hasattr(one, "__geo_interface__") for one in data)
    return isinstance(data, Mapping) or hasattr(data, "__geo_interface__")


def geo_mapping(data: Any, *, in_degrees: bool = True) -> Mapping[str, Any]:
    """`data` as one GeoJSON-like mapping in degrees; a frame or series that says otherwise is projected.

    Without `in_degrees` coordinates stay as they are.
    """
    if isinstance(data, Mapping):
        return data
    if isinstance(data, (list, tuple)):
        parts = [one if isinstance(one, Mapping) else one.__geo_interface__ for one in data]
        if all(part.get("type") == "Feature" for part in parts):
            return {"type": "FeatureCollection", "features": parts}
        return {"type": "GeometryCollection", "geometries": parts}
    if in_degrees and getattr(data, "crs", None) is not None and hasattr(data, "to_crs"):
        data = data.to_crs(DEGREES)
    mapping: Mapping[str, Any] = data.__geo_interface__
    return mapping


def planar_points(data: Any) -> Floats | None:
    """(n, 2): the coordinates of bare points as they are, in whatever unit; None where there are features.

    Features have properties, which only the reader of GeoJSON knows; it takes degrees.
    """
    rows: list[Any] = []
    for one in data if isinstance(data, (list, tuple)) else [data]:
        if isinstance(one, Mapping) or hasattr(one, "columns"):
            return None
        parts = list(one) if hasattr(one, "to_crs") else [one]  # a series, or one geometry
        for part in (part.__geo_interface__ for part in parts):
            if part["type"] not in ("Point", "MultiPoint"):
                raise TypeError(f"a metric needs points, and this holds a {part['type']}")
            places = part["coordinates"] if part["type"] == "MultiPoint" else [part["coordinates"]]
            rows.extend(place[:2] for place in places)
    points: Floats = np.array(rows, dtype=np.float64).reshape(-1, 2)
    return points


def tree_as_frame(solution: Solution) -> Any:
    """A geopandas.GeoDataFrame of the tree's lines; see Solution.to_geopandas."""
    import geopandas

    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "tree.geojson")
        solution.save(file)
        with open(file, encoding="utf-8") as stream:
            features = json.load(stream)["features"]
    lines = [one for one in features if one["geometry"]["type"] in ("LineString", "MultiLineString")]
    crs = DEGREES if solution.instance.metric == "great-circle" else None
    columns = ["geometry", *(lines[0]["properties"] if lines else ("u", "v", "weight"))]
    frame = geopandas.GeoDataFrame.from_features(lines, crs=crs, columns=columns)
    if len(frame) == len(solution.edges):
        frame["load"] = solution.loads
        if len(solution.cables):
            frame["cable"] = solution.cable_types
    return frame
