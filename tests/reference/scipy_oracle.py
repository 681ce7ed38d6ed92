"""What SciPy makes of a folder of .npy files: an opinion on the oracles that shares no line with them.

Each line of FOLDER/jobs has a lab, the stem of the job's files and a border rule. Inputs are STEM-in-0.npy
and so on, outputs are written to STEM-out-0.npy and so on, in the type of the first input. Everything is
computed in double.
"""

import sys
from pathlib import Path

import numpy as np
from scipy import ndimage, signal

# `untouched` writes a part of what the others write; whoever asked puts the rest back.
MODES = {"clamp": "nearest", "zero": "constant", "reflect": "mirror", "untouched": "nearest"}


def as_type(values, dtype):
    """Bytes are rounded to nearest, half to even, and saturated."""
    if dtype == np.uint8:
        values = np.clip(np.rint(values), 0, 255)
    return values.astype(dtype)


def conv1d(inputs, _border):
    signal_in, taps = (array.astype(np.float64) for array in inputs)
    # Entry k of the full correlation has the filter's last tap on element k: from m - 1 on, its first on
    # element 0.
    full = signal.correlate(signal_in, taps, mode="full", method="direct")
    return [full[len(taps) - 1 :]]


def image_filter(inputs, border):
    image, taps = (array.astype(np.float64) for array in inputs)
    out = image.copy()
    channels = image.shape[2]
    for c in range(channels - (channels % 2 == 0)):  # all but alpha
        out[:, :, c] = ndimage.correlate(image[:, :, c], taps, mode=MODES[border], cval=0.0)
    return [out]


def sobel(inputs, border):
    image = inputs[0].astype(np.float64)
    plane = image.reshape(image.shape[:2])
    # Adding 0.0 makes a positive zero of a negative one, whose arc tangent is another.
    gx, gy = (ndimage.sobel(plane, axis=a, mode=MODES[border], cval=0.0) + 0.0 for a in (1, 0))
    return [np.sqrt(gx * gx + gy * gy).reshape(image.shape), np.arctan2(gy, gx).reshape(image.shape)]


def gaussian(inputs, _border):
    image, exact = inputs[0].astype(np.float64), inputs[3]
    if exact.ndim == 4:  # sums of outer products
        exact = np.einsum("ity,itx->iyx", exact[:, :, 0], exact[:, :, 1])
    return [
        np.stack(
            [
                np.stack(
                    [ndimage.correlate(plane, taps, mode="nearest") for plane in np.moveaxis(image, 2, 0)], -1
                )
                for taps in exact
            ]
        )
    ]


def main(folder):
    for line in (folder / "jobs").read_text().splitlines():
        lab, stem, border = line.split()
        count = len(list(folder.glob(f"{stem}-in-*.npy")))
        inputs = [np.load(folder / f"{stem}-in-{i}.npy") for i in range(count)]
        for i, out in enumerate(globals()[lab](inputs, border)):
            dtype = inputs[0].dtype if i == 0 else np.dtype(np.float32)
            np.save(folder / f"{stem}-out-{i}.npy", as_type(out, dtype))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
